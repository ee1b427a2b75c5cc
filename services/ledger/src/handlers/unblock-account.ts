import { serviceMethod } from '@florin/kit/rpc';
import type { UnblockAccountRequest } from '@florin/proto/ledger/v1/account_service';
import { accountUnblocked } from '../domain/account-change.ts';
import { changeAccount } from './account-change.ts';
import type { Dependencies } from './dependencies.ts';

/** blocked → active. */
export const unblockAccount = (parts: Dependencies) =>
  serviceMethod('ledger.accounts.write', (request: UnblockAccountRequest) =>
    changeAccount(parts, request, 'active', (accountId) => accountUnblocked(accountId, parts.runtime.newId())),
  );
