import { AccountService } from '@florin/proto/ledger/v1/account_service';
import { serviceMethod } from '@florin/rpc/server';
import { accountActivated } from '../domain/account-change.ts';
import { changeAccount } from './account-change.ts';
import { type Dependencies, requireAccount } from './dependencies.ts';
import { ownedMethod } from './owned-method.ts';
import { toWireAccount } from './to-wire.ts';

/** provisioning → active; where accounts need a Safe, once that is confirmed. */
export const activateAccount = (dependencies: Dependencies) =>
  ownedMethod(
    dependencies.shards,
    AccountService.method.activateAccount,
    serviceMethod,
    (request) => request,
    async ({ accountId }, journal) => {
      const { accounts, accountsNeedSafe, runtime } = dependencies;
      if (accountsNeedSafe) {
        const account = requireAccount(await accounts.approve(accountId, runtime.now()));
        if (account.status === 'provisioning' && account.safeConfirmedAt === undefined) return { account: toWireAccount(account) };
      }
      return changeAccount(dependencies, journal, { accountId, target: 'active', intent: accountActivated(accountId) });
    },
  );
