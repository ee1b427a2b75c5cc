import { AccountService } from '@florin/proto/ledger/v1/account_service';
import { serviceMethod } from '@florin/rpc/server';
import { accountActivated } from '../domain/account-change.ts';
import { changeAccount } from './account-change.ts';
import { blocking } from './block-account.ts';
import { type Dependencies, requireAccount } from './dependencies.ts';
import { ownedMethod } from './owned-method.ts';
import { toWireAccount } from './to-wire.ts';

/** Records that an account's Safe is verified, and activates an account that was approved and waits for it. */
export const confirmSafe = (dependencies: Dependencies) =>
  ownedMethod(
    dependencies.shards,
    AccountService.method.confirmSafe,
    serviceMethod,
    (request) => request,
    async ({ accountId }, journal) => {
      const { accounts, accountsNeedSafe, runtime } = dependencies;
      const account = requireAccount(await accounts.confirmSafe(accountId, runtime.now()));
      if (!accountsNeedSafe || account.status !== 'provisioning' || account.approvedAt === undefined)
        return { account: toWireAccount(account) };
      const activated = await changeAccount(dependencies, journal, { accountId, target: 'active', intent: accountActivated(accountId) });
      // The approval may have been taken back meanwhile, while the account could not be blocked.
      const current = requireAccount(await accounts.confirmSafe(accountId, runtime.now()));
      if (current.approvedAt !== undefined) return activated;
      return changeAccount(dependencies, journal, blocking(accountId, runtime.newId()));
    },
  );
