import { AccountService, type ActivateAccountRequest } from '@florin/proto/ledger/v1/account_service';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { accountActivated } from '../domain/account-change.ts';
import { changeAccount, changeSchema } from './account-change.ts';
import type { Dependencies } from './dependencies.ts';

/** provisioning → active. */
export const activateAccount = (parts: Dependencies) =>
  serviceMethod('ledger.accounts.write', (request: ActivateAccountRequest, call) => {
    const { accountId } = parseRequest(changeSchema, request);
    const intent = accountActivated(accountId);
    return parts.shards.atOwner(accountId, { rpc: AccountService.method.activateAccount, request, call }, (journal) =>
      changeAccount(parts, journal, { accountId, target: 'active', intent }),
    );
  });
