import { cutPage, decodeIdCursor, encodeIdCursor, pageSchema } from '@florin/data/paging';
import type { ListAccountsRequest } from '@florin/proto/ledger/v1/account_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';
import { toWireAccount } from './to-wire.ts';

const requestSchema = z.object({ page: pageSchema });

/**
 * A page of all accounts, by id: an account that exists at the start is on exactly one page.
 * @throws CodedError VALIDATION_FAILED
 */
export const listAccounts = ({ accounts }: Dependencies) =>
  serviceMethod(LEDGER_SCOPES.readAccounts, async (request: ListAccountsRequest) => {
    const { page } = parseRequest(requestSchema, request);
    const found = await accounts.page(decodeIdCursor(page.cursor), page.limit + 1);
    const { rows, nextCursor } = cutPage(found, page.limit, ({ id }) => encodeIdCursor(id));
    return { accounts: rows.map(toWireAccount), page: { nextCursor } };
  });
