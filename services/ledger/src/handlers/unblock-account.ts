import { AccountService } from '@florin/proto/ledger/v1/account_service';
import { CodedError } from '@florin/rpc/errors';
import { serviceMethod } from '@florin/rpc/server';
import { accountUnblocked } from '../domain/account-change.ts';
import { changeAccount } from './account-change.ts';
import { blocking } from './block-account.ts';
import { type Dependencies, requireAccount } from './dependencies.ts';
import { ownedMethod } from './owned-method.ts';

/** blocked → active, unless the account's Safe was revoked. */
export const unblockAccount = (dependencies: Dependencies) =>
  ownedMethod(
    dependencies.shards,
    AccountService.method.unblockAccount,
    serviceMethod,
    (request) => request,
    async ({ accountId }, journal) => {
      const { accounts, runtime } = dependencies;
      const isRevoked = async (): Promise<boolean> => requireAccount(await accounts.find(accountId)).safeRevokedAt !== undefined;
      const reject = async (): Promise<never> => {
        if ((await journal.account(accountId))?.status === 'active') {
          await changeAccount(dependencies, journal, blocking(accountId, runtime.newId()));
        }
        throw new CodedError('SAFE_NOT_VERIFIED');
      };
      // An earlier call may have ended between the unblocking and the second look.
      if (await isRevoked()) return reject();
      const intent = accountUnblocked(accountId, runtime.newId());
      const unblocked = await changeAccount(dependencies, journal, { accountId, target: 'active', intent });
      // It may have been revoked meanwhile, while the account was blocked already.
      return (await isRevoked()) ? reject() : unblocked;
    },
  );
