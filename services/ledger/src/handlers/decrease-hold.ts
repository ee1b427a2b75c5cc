import { HoldService } from '@florin/proto/ledger/v1/hold_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest } from '@florin/rpc/server';
import { z } from 'zod';
import { holdDecreased } from '../domain/hold.ts';
import { changeHold, holdShape, readShare, requireShare } from './change-hold.ts';
import type { Dependencies } from './dependencies.ts';
import { metadataSchema } from './fields.ts';
import { forProcesses, ownedMethod } from './owned-method.ts';

const requestSchema = z.object({ ...holdShape, changeId: uuidSchema, metadata: metadataSchema });

/** Returns a part of a hold's money. */
export const decreaseHold = (dependencies: Dependencies) =>
  ownedMethod(
    dependencies.shards,
    HoldService.method.decreaseHold,
    forProcesses(LEDGER_SCOPES.writeEntries),
    (request, call) => {
      const { accountId, holdId, changeId, metadata } = parseRequest(requestSchema, request);
      const { amount, transfers } = request;
      const share = requireShare(readShare(dependencies, call.caller, { accountId, amount, transfers }));
      return { accountId, holdId, intent: holdDecreased({ accountId, holdId }, changeId, { share, metadata }) };
    },
    ({ intent, ...key }, journal) => changeHold(journal, key, intent),
  );
