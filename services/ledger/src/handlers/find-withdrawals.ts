import { cutFound } from '@florin/data/paging';
import type { FindWithdrawalsRequest } from '@florin/proto/ledger/v1/movement_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { ofTransaction } from './fields.ts';
import { toWireWithdrawal } from './to-wire.ts';

/**
 * The withdrawals of a transaction, for the platform's services: from the database, at any instance.
 * @throws CodedError VALIDATION_FAILED
 */
export const findWithdrawals = ({ movements }: Dependencies) =>
  serviceMethod(LEDGER_SCOPES.readWithdrawals, async (request: FindWithdrawalsRequest) => {
    const { txHash, limit } = parseRequest(ofTransaction, request);
    const { rows, hasMore } = cutFound(await movements.ofTransaction('withdrawals', txHash, limit + 1), limit);
    return { withdrawals: rows.map(toWireWithdrawal), hasMore };
  });
