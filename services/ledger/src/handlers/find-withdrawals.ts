import { cutFound, findLimitOf } from '@florin/data/paging';
import type { FindWithdrawalsRequest } from '@florin/proto/ledger/v1/movement_service';
import { serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { toWireWithdrawal } from './to-wire.ts';

/** The withdrawals of a transaction, for the platform's services: from the database, at any instance. */
export const findWithdrawals = ({ movements }: Dependencies) =>
  serviceMethod(async (request: FindWithdrawalsRequest) => {
    const { txHash } = request;
    const limit = findLimitOf(request);
    const { rows, hasMore } = cutFound(await movements.ofTransaction('withdrawals', txHash, limit + 1), limit);
    return { withdrawals: rows.map(toWireWithdrawal), hasMore };
  });
