import { AccountService } from '@florin/proto/ledger/v1/account_service';
import { serviceMethod } from '@florin/rpc/server';
import { changeAccount } from './account-change.ts';
import { blocking } from './block-account.ts';
import { type Dependencies, requireAccount } from './dependencies.ts';
import { ownedMethod } from './owned-method.ts';
import { toWireAccount } from './to-wire.ts';

/** Records that an account's Safe is not what the account needs, and blocks an active account. */
export const revokeSafe = (dependencies: Dependencies) =>
  ownedMethod(
    dependencies.shards,
    AccountService.method.revokeSafe,
    serviceMethod,
    (request) => request,
    async ({ accountId }, journal) => {
      const { accounts, runtime } = dependencies;
      const account = requireAccount(await accounts.revokeSafe(accountId, runtime.now()));
      // The journal knows the status: the record follows it.
      if ((await journal.account(accountId))?.status !== 'active') return { account: toWireAccount(account) };
      return changeAccount(dependencies, journal, blocking(accountId, runtime.newId()));
    },
  );
