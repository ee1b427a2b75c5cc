import { AccountService } from '@florin/proto/ledger/v1/account_service';
import { serviceMethod } from '@florin/rpc/server';
import { accountBlocked } from '../domain/account-change.ts';
import { changeAccount } from './account-change.ts';
import type { Dependencies } from './dependencies.ts';
import { ownedMethod } from './owned-method.ts';

/** The change to blocked. */
export const blocking = (accountId: string, changeId: string) =>
  ({ accountId, target: 'blocked', intent: accountBlocked(accountId, changeId) }) as const;

/** active → blocked. */
export const blockAccount = (dependencies: Dependencies) =>
  ownedMethod(
    dependencies.shards,
    AccountService.method.blockAccount,
    serviceMethod,
    (request) => request,
    async ({ accountId }, journal) => {
      // A Safe that is confirmed later must not activate an account that was to be blocked.
      if (dependencies.accountsNeedSafe) await dependencies.accounts.withdrawApproval(accountId);
      return changeAccount(dependencies, journal, blocking(accountId, dependencies.runtime.newId()));
    },
  );
