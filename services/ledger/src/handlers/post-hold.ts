import { EntryService, type PostHoldRequest } from '@florin/proto/ledger/v1/entry_service';
import { uuidSchema } from '@florin/rpc/fields';
import { parseAmount } from '@florin/rpc/money';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { holdPosted } from '../domain/hold.ts';
import type { Dependencies } from './dependencies.ts';
import { endHold } from './end-hold.ts';

const requestSchema = z.object({ accountId: uuidSchema, holdId: uuidSchema, amount: z.string() });

/**
 * Takes the money of a hold, whole or in part.
 * @throws CodedError AMOUNT_INVALID, ACCOUNT_NOT_FOUND, HOLD_NOT_FOUND, HOLD_ALREADY_RESOLVED, HOLD_EXPIRED, VALIDATION_FAILED
 */
export const postHold = (parts: Dependencies) =>
  serviceMethod('ledger.entries.write', (request: PostHoldRequest, call) => {
    const { accountId, holdId, amount } = parseRequest(requestSchema, request);
    const taken = amount === '' ? undefined : parseAmount(amount);
    return parts.shards.atOwner(accountId, { rpc: EntryService.method.postHold, request, call }, (journal) =>
      endHold(parts, journal, { accountId, holdId }, holdPosted({ accountId, holdId }, taken)),
    );
  });
