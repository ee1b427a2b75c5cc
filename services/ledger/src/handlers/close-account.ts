import { AccountService, type CloseAccountRequest } from '@florin/proto/ledger/v1/account_service';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { accountClosed } from '../domain/account-change.ts';
import { changeAccount, changeSchema } from './account-change.ts';
import type { Dependencies } from './dependencies.ts';

/** Ends an account whose balances are all zero. */
export const closeAccount = (parts: Dependencies) =>
  serviceMethod('ledger.accounts.write', (request: CloseAccountRequest, call) => {
    const { accountId } = parseRequest(changeSchema, request);
    const intent = accountClosed(accountId);
    return parts.shards.atOwner(accountId, { rpc: AccountService.method.closeAccount, request, call }, (journal) =>
      changeAccount(parts, journal, { accountId, target: 'closed', intent }),
    );
  });
