import { AccountService, type UnblockAccountRequest } from '@florin/proto/ledger/v1/account_service';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { accountUnblocked } from '../domain/account-change.ts';
import { changeAccount, changeSchema } from './account-change.ts';
import type { Dependencies } from './dependencies.ts';

/** blocked → active. */
export const unblockAccount = (parts: Dependencies) =>
  serviceMethod('ledger.accounts.write', (request: UnblockAccountRequest, call) => {
    const { accountId } = parseRequest(changeSchema, request);
    const intent = accountUnblocked(accountId, parts.runtime.newId());
    return parts.shards.atOwner(accountId, { rpc: AccountService.method.unblockAccount, request, call }, (journal) =>
      changeAccount(parts, journal, { accountId, target: 'active', intent }),
    );
  });
