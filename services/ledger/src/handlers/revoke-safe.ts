import { AccountService } from '@florin/proto/ledger/v1/account_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { changeAccount, readChange } from './account-change.ts';
import { blocking } from './block-account.ts';
import { type Dependencies, requireAccount } from './dependencies.ts';
import { ownedMethod, withScope } from './owned-method.ts';
import { toWireAccount } from './to-wire.ts';

/** Records that an account's Safe is not what the account needs, and blocks an active account. */
export const revokeSafe = (dependencies: Dependencies) =>
  ownedMethod(
    dependencies.shards,
    AccountService.method.revokeSafe,
    withScope(LEDGER_SCOPES.confirmSafes),
    readChange,
    async ({ accountId }, journal) => {
      const { accounts, runtime } = dependencies;
      const account = requireAccount(await accounts.revokeSafe(accountId, runtime.now()));
      // The journal knows the status: the record follows it.
      if ((await journal.account(accountId))?.status !== 'active') return { account: toWireAccount(account) };
      return changeAccount(dependencies, journal, blocking(accountId, runtime.newId()));
    },
  );
