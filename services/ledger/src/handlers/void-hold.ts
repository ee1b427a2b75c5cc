import { uuidSchema } from '@florin/kit/fields';
import { parseRequest, serviceMethod } from '@florin/kit/rpc';
import type { VoidHoldRequest } from '@florin/proto/ledger/v1/entry_service';
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
  serviceMethod('ledger.entries.write', (request: VoidHoldRequest) => {
    const { accountId, holdId } = parseRequest(requestSchema, request);
    return endHold(parts, accountId, holdId, holdVoided({ accountId, holdId }));
  });
