import { AccountService } from '@florin/proto/ledger/v1/account_service';
import { CodedError } from '@florin/rpc/errors';
import { serviceMethod } from '@florin/rpc/server';
import { safeOwnerOf } from '../domain/account.ts';
import { replacementRefusal, successorIdOf } from '../domain/account-replacement.ts';
import type { Journal } from '../journal/journal.ts';
import { blockActive } from './block-account.ts';
import { type Dependencies, requireAccount } from './dependencies.ts';
import { open } from './open-account.ts';
import { ownedMethod } from './owned-method.ts';
import { toWireAccount } from './to-wire.ts';

/**
 * Names the successor of an account, which decides: from then on the account is never active, and a repeat opens what it names.
 * @throws CodedError ACCOUNT_NOT_FOUND, ACCOUNT_NOT_REPLACEABLE, ACCOUNT_STATE_CONFLICT, SAFE_OWNER_REVOKED
 */
const nameSuccessor = async ({ accounts, shards }: Dependencies, journal: Journal, accountId: string) => {
  const account = requireAccount(await accounts.find(accountId));
  if (account.successorAccountId !== undefined) return { account, successorId: account.successorAccountId };
  const refusal = replacementRefusal(account, await journal.account(accountId));
  if (refusal !== undefined) throw new CodedError(refusal.code, refusal.message === undefined ? {} : { message: refusal.message });
  const named = requireAccount(await accounts.nameSuccessor(accountId, successorIdOf(accountId, shards.shardOf)));
  // Recorded since the account was read.
  if (named.successorAccountId === undefined)
    throw new CodedError(named.decidedBlockAt === undefined ? 'SAFE_OWNER_REVOKED' : 'ACCOUNT_NOT_REPLACEABLE');
  return { account: named, successorId: named.successorAccountId };
};

/** Opens the successor of an account whose Safe will never be confirmed again. */
export const replaceAccount = (dependencies: Dependencies) =>
  ownedMethod(
    dependencies.shards,
    AccountService.method.replaceAccount,
    serviceMethod,
    (request) => request,
    async ({ accountId }, journal) => {
      const { account, successorId } = await nameSuccessor(dependencies, journal, accountId);
      const { userId, kycProfileId } = account;
      const known = await dependencies.accounts.find(successorId);
      // An exchange of the former owner since the first call does not concern the successor.
      const safeOwnerAddress = known?.safeOwnerAddress ?? safeOwnerOf(account);
      const opening = { accountId: successorId, userId, kycProfileId, safeOwnerAddress, formerAccountId: accountId };
      const successor = await open(dependencies, journal, opening);
      // It may have been unblocked by a call that began before its successor was named.
      return { ...(await blockActive(dependencies, journal, account)), successor: toWireAccount(successor) };
    },
  );
