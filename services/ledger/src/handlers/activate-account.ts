import { serviceMethod } from '@florin/kit/rpc';
import type { ActivateAccountRequest } from '@florin/proto/ledger/v1/account_service';
import { accountActivated } from '../domain/account-change.ts';
import { changeAccount } from './account-change.ts';
import type { Dependencies } from './dependencies.ts';

/** provisioning → active. */
export const activateAccount = (parts: Dependencies) =>
  serviceMethod('ledger.accounts.write', (request: ActivateAccountRequest) => changeAccount(parts, request, 'active', accountActivated));
