import { HoldService, type IncreaseHoldRequest } from '@florin/proto/ledger/v1/hold_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { holdIncreased } from '../domain/hold.ts';
import { changeHold, holdShape, readShare, requireShare } from './change-hold.ts';
import type { Dependencies } from './dependencies.ts';
import { metadataSchema, timeSchema } from './fields.ts';

const requestSchema = z.object({ ...holdShape, changeId: uuidSchema, expiresAt: timeSchema.optional(), metadata: metadataSchema });

/** Sets more money aside for a hold, and may extend it. */
export const increaseHold = (parts: Dependencies) =>
  serviceMethod(LEDGER_SCOPES.writeEntries, (request: IncreaseHoldRequest, call) => {
    const { accountId, holdId, changeId, expiresAt, metadata } = parseRequest(requestSchema, request);
    const { amount, transfers, forced } = request;
    const share = requireShare(readShare(parts, call.caller, { accountId, amount, transfers }));
    const key = { accountId, holdId };
    const intent = holdIncreased(key, changeId, { share, expiresAt, forced, metadata, systemAccounts: parts.systemAccounts });
    return parts.shards.atOwner(accountId, { rpc: HoldService.method.increaseHold, request, call }, (journal) =>
      changeHold(parts, journal, key, intent),
    );
  });
