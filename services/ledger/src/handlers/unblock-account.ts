import { AccountService } from '@florin/proto/ledger/v1/account_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { accountUnblocked } from '../domain/account-change.ts';
import { changeAccount, readChange } from './account-change.ts';
import type { Dependencies } from './dependencies.ts';
import { ownedMethod, withScope } from './owned-method.ts';

/** blocked → active. */
export const unblockAccount = (dependencies: Dependencies) =>
  ownedMethod(
    dependencies.shards,
    AccountService.method.unblockAccount,
    withScope(LEDGER_SCOPES.writeAccounts),
    readChange,
    ({ accountId }, journal) =>
      changeAccount(dependencies, journal, {
        accountId,
        target: 'active',
        intent: accountUnblocked(accountId, dependencies.runtime.newId()),
      }),
  );
