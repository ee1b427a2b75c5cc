import { cutFound } from '@florin/data/paging';
import type { FindDepositsRequest } from '@florin/proto/ledger/v1/movement_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { ofTransaction } from './fields.ts';
import { toWireDeposit } from './to-wire.ts';

/**
 * The deposits of a transaction, for the platform's services: from the database, at any instance.
 * @throws CodedError VALIDATION_FAILED
 */
export const findDeposits = ({ movements }: Dependencies) =>
  serviceMethod(LEDGER_SCOPES.readDeposits, async (request: FindDepositsRequest) => {
    const { txHash, limit } = parseRequest(ofTransaction, request);
    const { rows, hasMore } = cutFound(await movements.ofTransaction('deposits', txHash, limit + 1), limit);
    return { deposits: rows.map(toWireDeposit), hasMore };
  });
