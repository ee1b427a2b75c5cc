import { AccountService } from '@florin/proto/ledger/v1/account_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { accountBlocked } from '../domain/account-change.ts';
import { changeAccount, readChange } from './account-change.ts';
import type { Dependencies } from './dependencies.ts';
import { ownedMethod, withScope } from './owned-method.ts';

/** active → blocked. */
export const blockAccount = (dependencies: Dependencies) =>
  ownedMethod(
    dependencies.shards,
    AccountService.method.blockAccount,
    withScope(LEDGER_SCOPES.writeAccounts),
    readChange,
    ({ accountId }, journal) =>
      changeAccount(dependencies, journal, {
        accountId,
        target: 'blocked',
        intent: accountBlocked(accountId, dependencies.runtime.newId()),
      }),
  );
