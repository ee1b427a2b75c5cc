import { serviceMethod } from '@florin/kit/rpc';
import type { CloseAccountRequest } from '@florin/proto/ledger/v1/account_service';
import { accountClosed } from '../domain/account-change.ts';
import { changeAccount } from './account-change.ts';
import type { Dependencies } from './dependencies.ts';

/** Ends an account whose balances are all zero. */
export const closeAccount = (parts: Dependencies) =>
  serviceMethod('ledger.accounts.write', (request: CloseAccountRequest) => changeAccount(parts, request, 'closed', accountClosed));
