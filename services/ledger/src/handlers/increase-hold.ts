import { HoldService } from '@florin/proto/ledger/v1/hold_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest } from '@florin/rpc/server';
import { z } from 'zod';
import { holdIncreased } from '../domain/hold.ts';
import { changeHold, holdShape, readShare, requireShare } from './change-hold.ts';
import type { Dependencies } from './dependencies.ts';
import { metadataSchema, timeSchema } from './fields.ts';
import { forProcesses, ownedMethod } from './owned-method.ts';

const requestSchema = z.object({ ...holdShape, changeId: uuidSchema, expiresAt: timeSchema.optional(), metadata: metadataSchema });

/** Sets more money aside for a hold, and may extend it. */
export const increaseHold = (dependencies: Dependencies) =>
  ownedMethod(
    dependencies.shards,
    HoldService.method.increaseHold,
    forProcesses(LEDGER_SCOPES.writeEntries),
    (request, call) => {
      const { accountId, holdId, changeId, expiresAt, metadata } = parseRequest(requestSchema, request);
      const { amount, transfers, forced } = request;
      const share = requireShare(readShare(dependencies, call.caller, { accountId, amount, transfers }));
      const change = { share, expiresAt, forced, metadata, systemAccounts: dependencies.systemAccounts };
      return { accountId, holdId, intent: holdIncreased({ accountId, holdId }, changeId, change) };
    },
    ({ intent, ...key }, journal) => changeHold(journal, key, intent),
  );
