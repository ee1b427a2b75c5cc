import { AccountService, type BlockAccountRequest } from '@florin/proto/ledger/v1/account_service';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { accountBlocked } from '../domain/account-change.ts';
import { changeAccount, changeSchema } from './account-change.ts';
import type { Dependencies } from './dependencies.ts';

/** active → blocked. */
export const blockAccount = (parts: Dependencies) =>
  serviceMethod('ledger.accounts.write', (request: BlockAccountRequest, call) => {
    const { accountId } = parseRequest(changeSchema, request);
    const intent = accountBlocked(accountId, parts.runtime.newId());
    return parts.shards.atOwner(accountId, { rpc: AccountService.method.blockAccount, request, call }, (journal) =>
      changeAccount(parts, journal, { accountId, target: 'blocked', intent }),
    );
  });
