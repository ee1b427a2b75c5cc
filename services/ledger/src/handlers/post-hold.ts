import { HoldService, type PostHoldRequest } from '@florin/proto/ledger/v1/hold_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { unlessEmpty, uuidSchema } from '@florin/rpc/fields';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { holdPosted } from '../domain/hold-posting.ts';
import { changeHold, holdShape, readShare } from './change-hold.ts';
import type { Dependencies } from './dependencies.ts';
import { metadataSchema } from './fields.ts';

const requestSchema = z
  .object({ ...holdShape, postingId: unlessEmpty(uuidSchema), keepOpen: z.boolean(), forced: z.boolean(), metadata: metadataSchema })
  .refine(({ keepOpen, postingId }) => !keepOpen || postingId !== undefined, { path: ['postingId'], message: 'is required with keepOpen' });

/** Takes the money of a hold, whole or in part; a forced posting is always booked. */
export const postHold = (parts: Dependencies) =>
  serviceMethod(LEDGER_SCOPES.writeEntries, (request: PostHoldRequest, call) => {
    const { accountId, holdId, ...rest } = parseRequest(requestSchema, request);
    const { amount, transfers } = request;
    const share = readShare(parts, call.caller, { accountId, amount, transfers });
    const key = { accountId, holdId };
    const intent = holdPosted(key, { ...rest, share, systemAccounts: parts.systemAccounts });
    return parts.shards.atOwner(accountId, { rpc: HoldService.method.postHold, request, call }, (journal) =>
      changeHold(parts, journal, key, intent),
    );
  });
