import { cutPage, decodeIdCursor, encodeIdCursor, pageOf } from '@florin/data/paging';
import type { ListAccountsRequest } from '@florin/proto/ledger/v1/account_service';
import { serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { toWireAccount } from './to-wire.ts';

/** A page of all accounts, by id: an account that exists at the start is on exactly one page. */
export const listAccounts = ({ accounts }: Dependencies) =>
  serviceMethod(async (request: ListAccountsRequest) => {
    const page = pageOf(request);
    const found = await accounts.page(decodeIdCursor(page.cursor), page.limit + 1);
    const { rows, nextCursor } = cutPage(found, page.limit, ({ id }) => encodeIdCursor(id));
    return { accounts: rows.map(toWireAccount), page: { nextCursor } };
  });
