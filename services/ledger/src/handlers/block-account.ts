import { AccountService } from '@florin/proto/ledger/v1/account_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { accountBlocked } from '../domain/account-change.ts';
import { changeAccount, readChange } from './account-change.ts';
import type { Dependencies } from './dependencies.ts';
import { ownedMethod, withScope } from './owned-method.ts';

/** The change to blocked. */
export const blocking = (accountId: string, changeId: string) =>
  ({ accountId, target: 'blocked', intent: accountBlocked(accountId, changeId) }) as const;

/** active → blocked. */
export const blockAccount = (dependencies: Dependencies) =>
  ownedMethod(
    dependencies.shards,
    AccountService.method.blockAccount,
    withScope(LEDGER_SCOPES.writeAccounts),
    readChange,
    async ({ accountId }, journal) => {
      // A Safe that is confirmed later must not activate an account that was to be blocked.
      if (dependencies.accountsNeedSafe) await dependencies.accounts.withdrawApproval(accountId);
      return changeAccount(dependencies, journal, blocking(accountId, dependencies.runtime.newId()));
    },
  );
