import type { ErrorCode } from '@florin/rpc/errors';
import { derivedId } from '@florin/rpc/runtime';
import type { Account } from './account.ts';
import { type AccountState, balancesOf } from './account-state.ts';

/** Why an account is not replaced. */
type ReplacementRefusal = { code: ErrorCode; message?: string };

/**
 * Judges if an account may have a successor. One that could be active again stays the user's account. Whoever owes money, or may yet owe it by a hold, or by leaving with
 * what was spent and not collected, must not begin again without debt.
 * @param state of the account in the journal; undefined: its opening was interrupted
 */
export const replacementRefusal = (account: Account, state: AccountState | undefined): ReplacementRefusal | undefined => {
  if (state?.status !== 'blocked' && state?.status !== 'provisioning') return { code: 'ACCOUNT_STATE_CONFLICT' };
  const no = (message: string): ReplacementRefusal => ({ code: 'ACCOUNT_NOT_REPLACEABLE', message });
  if (account.decidedBlockAt !== undefined)
    return no('somebody has blocked the account, which a successor must not undo: unblock it first');
  if (account.safeOwnerRevokedAt !== undefined) return { code: 'SAFE_OWNER_REVOKED' };
  if (account.safeHistoryDiffersAt === undefined) return no('the Safe of the account can be confirmed again');
  if (state.holds.size > 0) return no('the account has open holds');
  const has = (bucket: 'debt' | 'settling'): boolean =>
    balancesOf(state).some(([key, amount]) => key.endsWith(`/${bucket}`) && amount !== 0n);
  if (has('debt')) return no('the account has debt');
  return has('settling') ? no('the account has spent money that is not collected') : undefined;
};

/** Id of an account's successor: derived, so that there is one, and in the account's shard. */
export const successorIdOf = (accountId: string, shardOf: (accountId: string) => string): string => {
  for (let attempt = 0; ; attempt += 1) {
    const id = derivedId(`florin/successor/${accountId}/${attempt}`);
    if (shardOf(id) === shardOf(accountId)) return id;
  }
};
