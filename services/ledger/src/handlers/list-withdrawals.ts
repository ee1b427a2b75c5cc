import { pageOf } from '@florin/data/paging';
import type { ListWithdrawalsRequest } from '@florin/proto/ledger/v1/movement_service';
import { userOfCall, userOrServiceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { movementPage } from './movement-page.ts';
import { toWireWithdrawal } from './to-wire.ts';

/** A page of a user's withdrawals, newest first. */
export const listWithdrawals = (parts: Dependencies) =>
  userOrServiceMethod(async (request: ListWithdrawalsRequest, { caller }) => {
    const userId = userOfCall(request, caller);
    const { rows, nextCursor } = await movementPage(parts, 'withdrawals', userId, pageOf(request));
    return { withdrawals: rows.map(toWireWithdrawal), page: { nextCursor } };
  });
