import { HoldService } from '@florin/proto/ledger/v1/hold_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest } from '@florin/rpc/server';
import { z } from 'zod';
import { holdExtended } from '../domain/hold.ts';
import { changeHold, holdShape } from './change-hold.ts';
import type { Dependencies } from './dependencies.ts';
import { metadataSchema, timeSchema } from './fields.ts';
import { forProcesses, ownedMethod } from './owned-method.ts';

const requestSchema = z.object({ ...holdShape, changeId: uuidSchema, expiresAt: timeSchema, metadata: metadataSchema });

/** Makes a hold expire later. */
export const extendHold = (dependencies: Dependencies) =>
  ownedMethod(
    dependencies.shards,
    HoldService.method.extendHold,
    forProcesses(LEDGER_SCOPES.writeEntries),
    (request) => {
      const { accountId, holdId, changeId, ...change } = parseRequest(requestSchema, request);
      return { accountId, holdId, intent: holdExtended({ accountId, holdId }, changeId, change) };
    },
    ({ intent, ...key }, journal) => changeHold(journal, key, intent),
  );
