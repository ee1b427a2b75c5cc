import { pageSchema } from '@florin/data/paging';
import type { ListDepositsRequest } from '@florin/proto/ledger/v1/movement_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { parseRequest, userOfCall, userOrServiceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';
import { movementPage } from './movement-page.ts';
import { toWireDeposit } from './to-wire.ts';

const requestSchema = z.object({ page: pageSchema });

/**
 * A page of a user's deposits, newest first.
 * @throws CodedError ACCOUNT_NOT_FOUND, VALIDATION_FAILED
 */
export const listDeposits = (parts: Dependencies) =>
  userOrServiceMethod(LEDGER_SCOPES.readDeposits, async (request: ListDepositsRequest, { caller }) => {
    const userId = userOfCall(request, caller);
    const { rows, nextCursor } = await movementPage(parts, 'deposits', userId, parseRequest(requestSchema, request).page);
    return { deposits: rows.map(toWireDeposit), page: { nextCursor } };
  });
