import { AccountService } from '@florin/proto/ledger/v1/account_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { accountActivated } from '../domain/account-change.ts';
import { changeAccount, readChange } from './account-change.ts';
import { type Dependencies, requireAccount } from './dependencies.ts';
import { ownedMethod, withScope } from './owned-method.ts';
import { toWireAccount } from './to-wire.ts';

/** provisioning → active; where accounts need a Safe, once that is confirmed. */
export const activateAccount = (dependencies: Dependencies) =>
  ownedMethod(
    dependencies.shards,
    AccountService.method.activateAccount,
    withScope(LEDGER_SCOPES.writeAccounts),
    readChange,
    async ({ accountId }, journal) => {
      const { accounts, accountsNeedSafe, runtime } = dependencies;
      if (accountsNeedSafe) {
        const account = requireAccount(await accounts.approve(accountId, runtime.now()));
        if (account.status === 'provisioning' && account.safeConfirmedAt === undefined) return { account: toWireAccount(account) };
      }
      return changeAccount(dependencies, journal, { accountId, target: 'active', intent: accountActivated(accountId) });
    },
  );
