import { AccountService } from '@florin/proto/ledger/v1/account_service';
import { CodedError } from '@florin/rpc/errors';
import { serviceMethod } from '@florin/rpc/server';
import type { Account } from '../domain/account.ts';
import { accountBlocked } from '../domain/account-change.ts';
import type { Intent } from '../domain/draft-block.ts';
import type { Journal } from '../journal/journal.ts';
import { changeAccount } from './account-change.ts';
import { type Dependencies, requireAccount } from './dependencies.ts';
import { ownedMethod } from './owned-method.ts';
import { toWireAccount } from './to-wire.ts';

/** The change to blocked. */
export const blocking = (accountId: string, changeId: string) =>
  ({ accountId, target: 'blocked', intent: accountBlocked(accountId, changeId) }) as const;

/**
 * Makes an account active, and blocks it again if it may not be: what forbids it can have been recorded meanwhile, when there was nothing to block.
 * @throws CodedError as changeAccount
 */
export const activateIf = async (
  dependencies: Dependencies,
  journal: Journal,
  { accountId, intent }: { accountId: string; intent: Intent },
  mayBeActive: (account: Account) => boolean,
) => {
  const activated = await changeAccount(dependencies, journal, { accountId, target: 'active', intent });
  if (mayBeActive(requireAccount(await dependencies.accounts.find(accountId)))) return activated;
  return changeAccount(dependencies, journal, blocking(accountId, dependencies.runtime.newId()));
};

/** Blocks an active account. The journal knows the status: the record follows it. */
export const blockActive = async (dependencies: Dependencies, journal: Journal, account: Account) => {
  if ((await journal.account(account.id))?.status !== 'active') return { account: toWireAccount(account) };
  return changeAccount(dependencies, journal, blocking(account.id, dependencies.runtime.newId()));
};

/** active → blocked. An account that has a successor stays blocked, but that somebody has decided it comes too late. */
export const blockAccount = (dependencies: Dependencies) =>
  ownedMethod(
    dependencies.shards,
    AccountService.method.blockAccount,
    serviceMethod,
    (request) => request,
    async ({ accountId, left }, journal) => {
      const { accounts, accountsNeedSafe, runtime } = dependencies;
      // A Safe that is confirmed later must not activate an account that was to be blocked.
      if (accountsNeedSafe) await accounts.withdrawApproval(accountId);
      const status = (await journal.account(accountId))?.status;
      // First, as the rest may fail. In provisioning nothing is blocked, and nobody would take it back.
      if (!left && (status === 'active' || status === 'blocked')) await accounts.decideBlock(accountId, runtime.now());
      const blocked = await changeAccount(dependencies, journal, blocking(accountId, runtime.newId()));
      if (left) return blocked;
      // Again: it may have been taken back before this call has blocked the account, or have been in provisioning.
      const { decidedBlockAt } = requireAccount(await accounts.decideBlock(accountId, runtime.now()));
      if (decidedBlockAt === undefined) throw new CodedError('ACCOUNT_STATE_CONFLICT');
      return blocked;
    },
  );
