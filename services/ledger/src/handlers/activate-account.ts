import { AccountService } from '@florin/proto/ledger/v1/account_service';
import { CodedError } from '@florin/rpc/errors';
import { serviceMethod } from '@florin/rpc/server';
import { accountActivated } from '../domain/account-change.ts';
import { activateIf } from './block-account.ts';
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
      const account = requireAccount(await (accountsNeedSafe ? accounts.approve(accountId, runtime.now()) : accounts.find(accountId)));
      if (account.safeOwnerRevokedAt !== undefined) throw new CodedError('ACCOUNT_STATE_CONFLICT');
      const waits = accountsNeedSafe && account.status === 'provisioning' && account.safeConfirmedAt === undefined;
      if (waits) return { account: toWireAccount(account) };
      const change = { accountId, intent: accountActivated(accountId) };
      return activateIf(dependencies, journal, change, ({ safeOwnerRevokedAt }) => safeOwnerRevokedAt === undefined);
    },
  );
