import { EntryService, type VoidHoldRequest } from '@florin/proto/ledger/v1/entry_service';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { holdVoided } from '../domain/hold.ts';
import type { Dependencies } from './dependencies.ts';
import { endHold } from './end-hold.ts';

const requestSchema = z.object({ accountId: uuidSchema, holdId: uuidSchema });

/**
 * Gives the money of a hold back.
 * @throws CodedError ACCOUNT_NOT_FOUND, HOLD_NOT_FOUND, HOLD_ALREADY_RESOLVED, HOLD_EXPIRED, VALIDATION_FAILED
 */
export const voidHold = (parts: Dependencies) =>
  serviceMethod('ledger.entries.write', (request: VoidHoldRequest, call) => {
    const { accountId, holdId } = parseRequest(requestSchema, request);
    return parts.shards.atOwner(accountId, { rpc: EntryService.method.voidHold, request, call }, (journal) =>
      endHold(parts, journal, { accountId, holdId }, holdVoided({ accountId, holdId })),
    );
  });
