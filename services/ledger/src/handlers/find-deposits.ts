import { cutFound, findLimitOf } from '@florin/data/paging';
import type { FindDepositsRequest } from '@florin/proto/ledger/v1/movement_service';
import { serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { toWireDeposit } from './to-wire.ts';

/** The deposits of a transaction, for the platform's services: from the database, at any instance. */
export const findDeposits = ({ movements }: Dependencies) =>
  serviceMethod(async (request: FindDepositsRequest) => {
    const { txHash } = request;
    const limit = findLimitOf(request);
    const { rows, hasMore } = cutFound(await movements.ofTransaction('deposits', txHash, limit + 1), limit);
    return { deposits: rows.map(toWireDeposit), hasMore };
  });
