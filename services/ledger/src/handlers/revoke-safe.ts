import { AccountService } from '@florin/proto/ledger/v1/account_service';
import { requireFields } from '@florin/rpc/contract';
import { serviceMethod } from '@florin/rpc/server';
import { getAddress } from 'viem';
import type { Account } from '../domain/account.ts';
import type { Journal } from '../journal/journal.ts';
import { changeAccount } from './account-change.ts';
import { blocking } from './block-account.ts';
import { type Dependencies, requireAccount } from './dependencies.ts';
import { ownerProblem } from './fields.ts';
import { ownedMethod } from './owned-method.ts';
import { toWireAccount } from './to-wire.ts';

/** Blocks an active account. The journal knows the status: the record follows it. */
const blockActive = async (dependencies: Dependencies, journal: Journal, account: Account) => {
  if ((await journal.account(account.id))?.status !== 'active') return { account: toWireAccount(account) };
  return changeAccount(dependencies, journal, blocking(account.id, dependencies.runtime.newId()));
};

/** Records that an account's Safe is not what the account needs, and blocks an active account. */
export const revokeSafe = (dependencies: Dependencies) =>
  ownedMethod(
    dependencies.shards,
    AccountService.method.revokeSafe,
    serviceMethod,
    (request) => request,
    async ({ accountId }, journal) => {
      const { accounts, runtime } = dependencies;
      return blockActive(dependencies, journal, requireAccount(await accounts.revokeSafe(accountId, runtime.now())));
    },
  );

/** Records that the wallet that owns an account's Safe is lost, and blocks an active account. */
export const revokeSafeOwner = (dependencies: Dependencies) =>
  ownedMethod(
    dependencies.shards,
    AccountService.method.revokeSafeOwner,
    serviceMethod,
    (request) => {
      requireFields({ owner_address: ownerProblem(request.ownerAddress) });
      return request;
    },
    async ({ accountId, ownerAddress }, journal) => {
      const { accounts, runtime } = dependencies;
      const account = requireAccount(await accounts.revokeSafeOwner(accountId, getAddress(ownerAddress), runtime.now()));
      if (account.safeOwnerRevokedAt === undefined) return { account: toWireAccount(account) };
      return blockActive(dependencies, journal, account);
    },
  );
