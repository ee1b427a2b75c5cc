import { AccountService } from '@florin/proto/ledger/v1/account_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { accountActivated } from '../domain/account-change.ts';
import { changeAccount, readChange } from './account-change.ts';
import type { Dependencies } from './dependencies.ts';
import { ownedMethod, withScope } from './owned-method.ts';

/** provisioning → active. */
export const activateAccount = (dependencies: Dependencies) =>
  ownedMethod(
    dependencies.shards,
    AccountService.method.activateAccount,
    withScope(LEDGER_SCOPES.writeAccounts),
    readChange,
    ({ accountId }, journal) => changeAccount(dependencies, journal, { accountId, target: 'active', intent: accountActivated(accountId) }),
  );
