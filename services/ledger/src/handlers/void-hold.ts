import { HoldService } from '@florin/proto/ledger/v1/hold_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { parseRequest } from '@florin/rpc/server';
import { z } from 'zod';
import { holdVoided } from '../domain/hold.ts';
import { changeHold, holdShape } from './change-hold.ts';
import type { Dependencies } from './dependencies.ts';
import { metadataSchema } from './fields.ts';
import { forProcesses, ownedMethod } from './owned-method.ts';

const requestSchema = z.object({ ...holdShape, metadata: metadataSchema });

/** Returns all money of a hold and ends it. */
export const voidHold = (dependencies: Dependencies) =>
  ownedMethod(
    dependencies.shards,
    HoldService.method.voidHold,
    forProcesses(LEDGER_SCOPES.writeEntries),
    (request) => {
      const { accountId, holdId, metadata } = parseRequest(requestSchema, request);
      return { accountId, holdId, intent: holdVoided({ accountId, holdId }, { metadata }) };
    },
    ({ intent, ...key }, journal) => changeHold(journal, key, intent),
  );
