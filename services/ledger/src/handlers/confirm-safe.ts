import { AccountService } from '@florin/proto/ledger/v1/account_service';
import { serviceMethod } from '@florin/rpc/server';
import type { Account } from '../domain/account.ts';
import { accountActivated } from '../domain/account-change.ts';
import { activateIf } from './block-account.ts';
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
    async ({ accountId, collectionLimits }, journal) => {
      const { accounts, accountsNeedSafe, runtime } = dependencies;
      const account = requireAccount(await accounts.confirmSafe(accountId, runtime.now(), collectionLimits));
      const mayBeActive = ({ approvedAt, safeConfirmedAt, safeOwnerRevokedAt }: Account): boolean =>
        approvedAt !== undefined && safeConfirmedAt !== undefined && safeOwnerRevokedAt === undefined;
      if (!accountsNeedSafe || account.status !== 'provisioning' || !mayBeActive(account)) return { account: toWireAccount(account) };
      return activateIf(dependencies, journal, { accountId, intent: accountActivated(accountId) }, mayBeActive);
    },
  );
