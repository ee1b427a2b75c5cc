import { serviceMethod } from '@florin/kit/rpc';
import type { BlockAccountRequest } from '@florin/proto/ledger/v1/account_service';
import { accountBlocked } from '../domain/account-change.ts';
import { changeAccount } from './account-change.ts';
import type { Dependencies } from './dependencies.ts';

/** active → blocked. */
export const blockAccount = (parts: Dependencies) =>
  serviceMethod('ledger.accounts.write', (request: BlockAccountRequest) =>
    changeAccount(parts, request, 'blocked', (accountId) => accountBlocked(accountId, parts.runtime.newId())),
  );
