import { pageSchema } from '@florin/data/paging';
import type { ListWithdrawalsRequest } from '@florin/proto/ledger/v1/movement_service';
import { parseRequest, userMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';
import { movementPage } from './movement-page.ts';
import { toWireWithdrawal } from './to-wire.ts';

const requestSchema = z.object({ page: pageSchema });

/**
 * A page of the caller's withdrawals, newest first.
 * @throws CodedError ACCOUNT_NOT_FOUND, VALIDATION_FAILED
 */
export const listWithdrawals = (parts: Dependencies) =>
  userMethod(async (request: ListWithdrawalsRequest, { caller }) => {
    const { rows, nextCursor } = await movementPage(parts, 'withdrawals', caller.userId, parseRequest(requestSchema, request).page);
    return { withdrawals: rows.map(toWireWithdrawal), page: { nextCursor } };
  });
