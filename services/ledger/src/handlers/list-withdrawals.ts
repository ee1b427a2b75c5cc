import { pageSchema } from '@florin/data/paging';
import type { ListWithdrawalsRequest } from '@florin/proto/ledger/v1/movement_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { parseRequest, userOfCall, userOrServiceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';
import { movementPage } from './movement-page.ts';
import { toWireWithdrawal } from './to-wire.ts';

const requestSchema = z.object({ page: pageSchema });

/**
 * A page of a user's withdrawals, newest first.
 * @throws CodedError ACCOUNT_NOT_FOUND, VALIDATION_FAILED
 */
export const listWithdrawals = (parts: Dependencies) =>
  userOrServiceMethod(LEDGER_SCOPES.readWithdrawals, async (request: ListWithdrawalsRequest, { caller }) => {
    const userId = userOfCall(request, caller);
    const { rows, nextCursor } = await movementPage(parts, 'withdrawals', userId, parseRequest(requestSchema, request).page);
    return { withdrawals: rows.map(toWireWithdrawal), page: { nextCursor } };
  });
