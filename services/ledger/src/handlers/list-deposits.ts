import { pageOf } from '@florin/data/paging';
import type { ListDepositsRequest } from '@florin/proto/ledger/v1/movement_service';
import { userOfCall, userOrServiceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { movementPage } from './movement-page.ts';
import { toWireDeposit } from './to-wire.ts';

/** A page of a user's deposits, newest first. */
export const listDeposits = (parts: Dependencies) =>
  userOrServiceMethod(async (request: ListDepositsRequest, { caller }) => {
    const userId = userOfCall(request, caller);
    const { rows, nextCursor } = await movementPage(parts, 'deposits', userId, pageOf(request));
    return { deposits: rows.map(toWireDeposit), page: { nextCursor } };
  });
