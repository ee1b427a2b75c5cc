import { AccountService } from '@florin/proto/ledger/v1/account_service';
import { CodedError, type ErrorCode } from '@florin/rpc/errors';
import { serviceMethod } from '@florin/rpc/server';
import type { Account } from '../domain/account.ts';
import { accountUnblocked } from '../domain/account-change.ts';
import { changeAccount } from './account-change.ts';
import { blocking } from './block-account.ts';
import { type Dependencies, requireAccount } from './dependencies.ts';
import { ownedMethod } from './owned-method.ts';

/** blocked → active, unless the account's Safe, or the wallet that owns it, was revoked. */
export const unblockAccount = (dependencies: Dependencies) =>
  ownedMethod(
    dependencies.shards,
    AccountService.method.unblockAccount,
    serviceMethod,
    (request) => request,
    async ({ accountId }, journal) => {
      const { accounts, runtime } = dependencies;
      const refusalOf = ({ safeRevokedAt, safeOwnerRevokedAt }: Account): ErrorCode | undefined => {
        if (safeOwnerRevokedAt !== undefined) return 'SAFE_OWNER_REVOKED';
        return safeRevokedAt === undefined ? undefined : 'SAFE_NOT_VERIFIED';
      };
      const refusal = async (): Promise<ErrorCode | undefined> => refusalOf(requireAccount(await accounts.find(accountId)));
      const reject = async (code: ErrorCode): Promise<never> => {
        if ((await journal.account(accountId))?.status === 'active') {
          await changeAccount(dependencies, journal, blocking(accountId, runtime.newId()));
        }
        throw new CodedError(code);
      };
      // An earlier call may have ended between the unblocking and the second look.
      const before = await refusal();
      if (before !== undefined) return reject(before);
      const intent = accountUnblocked(accountId, runtime.newId());
      const unblocked = await changeAccount(dependencies, journal, { accountId, target: 'active', intent });
      // It may have been revoked meanwhile, while the account was blocked already.
      const after = await refusal();
      return after === undefined ? unblocked : reject(after);
    },
  );
