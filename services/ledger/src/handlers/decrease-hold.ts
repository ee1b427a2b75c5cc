import { type DecreaseHoldRequest, HoldService } from '@florin/proto/ledger/v1/hold_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { holdDecreased } from '../domain/hold.ts';
import { changeHold, holdShape, readShare, requireShare } from './change-hold.ts';
import type { Dependencies } from './dependencies.ts';
import { metadataSchema } from './fields.ts';

const requestSchema = z.object({ ...holdShape, changeId: uuidSchema, metadata: metadataSchema });

/** Returns a part of a hold's money. */
export const decreaseHold = (parts: Dependencies) =>
  serviceMethod(LEDGER_SCOPES.writeEntries, (request: DecreaseHoldRequest, call) => {
    const { accountId, holdId, changeId, metadata } = parseRequest(requestSchema, request);
    const { amount, transfers } = request;
    const share = requireShare(readShare(parts, call.caller, { accountId, amount, transfers }));
    const key = { accountId, holdId };
    return parts.shards.atOwner(accountId, { rpc: HoldService.method.decreaseHold, request, call }, (journal) =>
      changeHold(parts, journal, key, holdDecreased(key, changeId, { share, metadata })),
    );
  });
