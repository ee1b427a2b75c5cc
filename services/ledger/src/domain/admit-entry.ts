import type { Amount } from '@florin/rpc/money';
import type { AccountStatus } from './account.ts';
import { type AccountState, isEmpty } from './account-state.ts';
import { InvariantError, type Move } from './apply-entry.ts';
import type { EntryKind, Proposal } from './entry.ts';
import { mayOverdraw, OPEN_SYSTEM_ACCOUNTS, type Side } from './ledger-account.ts';
import type { StateReader } from './shard-state.ts';

/** Why an entry is not admitted, in the order in which the checks are made. */
export const REFUSALS = [
  'ACCOUNT_NOT_FOUND',
  'ACCOUNT_CLOSED',
  'ACCOUNT_NOT_ACTIVE',
  'ACCOUNT_BLOCKED',
  'ACCOUNT_STATE_CONFLICT',
  'ACCOUNT_NOT_EMPTY',
  'HOLD_NOT_FOUND',
  'HOLD_EXPIRED',
  'HOLD_LIMIT_REACHED',
  'AMOUNT_INVALID',
  'INSUFFICIENT_FUNDS',
] as const;
export type Refusal = (typeof REFUSALS)[number];

/** Most open holds of one account: all of them are stored on its balance page, and copied when one changes. */
export const MAX_OPEN_HOLDS = 1000;

/** Kinds that spend: what they debit is `available`, and the account has to be active. */
const SPENDS: ReadonlySet<EntryKind> = new Set(['transfer', 'hold.created', 'withdrawal.created']);

/** Statuses from which a kind of entry may change the status. */
const STATUS_BEFORE: Partial<Record<EntryKind, readonly AccountStatus[]>> = {
  'account.activated': ['provisioning'],
  'account.blocked': ['active'],
  'account.unblocked': ['blocked'],
  'account.closed': ['provisioning', 'active', 'blocked'],
};

const HOLD_ENDS: ReadonlySet<EntryKind> = new Set(['hold.posted', 'hold.voided', 'hold.expired']);

/** What no code path may propose: a defect, not a refusal. @throws InvariantError */
const assertOwnMoney = (entry: Proposal, side: Side): void => {
  const free = entry.kind === 'transfer';
  if (side.owner === 'user') {
    if (free ? side.bucket !== 'available' : side.accountId !== entry.accountId)
      throw new InvariantError(`${entry.id}: moves money of another account, or money that is not available`);
  } else if (free && !OPEN_SYSTEM_ACCOUNTS.includes(side.name))
    throw new InvariantError(`${entry.id}: ${side.name} takes no transfers of services`);
};

const statusRefusal = (account: AccountState | undefined, spends: boolean): Refusal | undefined => {
  if (account === undefined) return 'ACCOUNT_NOT_FOUND';
  if (account.status === 'closed') return 'ACCOUNT_CLOSED';
  if (!spends || account.status === 'active') return undefined;
  return account.status === 'blocked' ? 'ACCOUNT_BLOCKED' : 'ACCOUNT_NOT_ACTIVE';
};

/** The one of two refusals that is returned. */
const worse = (a: Refusal | undefined, b: Refusal | undefined): Refusal | undefined => {
  if (a === undefined || b === undefined) return a ?? b;
  return REFUSALS.indexOf(b) < REFUSALS.indexOf(a) ? b : a;
};

/** The worst refusal that the states of the accounts cause, by precedence. */
const accountsRefusal = (state: StateReader, entry: Proposal, moves: readonly Move[]): Refusal | undefined => {
  const spends = SPENDS.has(entry.kind);
  let worst = statusRefusal(state.account(entry.accountId), false);
  for (const { from, to } of moves) {
    if (from.owner === 'user') worst = worse(worst, statusRefusal(state.account(from.accountId), spends));
    // The entry's own account has been checked already.
    if (to.owner === 'user' && to.accountId !== entry.accountId) worst = worse(worst, statusRefusal(state.account(to.accountId), false));
  }
  return worst;
};

const changeRefusal = (account: AccountState, kind: EntryKind): Refusal | undefined => {
  const from = STATUS_BEFORE[kind];
  if (from === undefined) return undefined;
  if (!from.includes(account.status)) return 'ACCOUNT_STATE_CONFLICT';
  return kind === 'account.closed' && !isEmpty(account) ? 'ACCOUNT_NOT_EMPTY' : undefined;
};

const holdRefusal = (account: AccountState, entry: Proposal, at: Date): Refusal | undefined => {
  if (entry.kind === 'hold.created') {
    // A repeat of an order that was taken is found by its id before; a new hold has to end in the future.
    if (Date.parse(entry.data['expiresAt'] ?? '') <= at.getTime()) return 'HOLD_EXPIRED';
    return account.holds.size >= MAX_OPEN_HOLDS ? 'HOLD_LIMIT_REACHED' : undefined;
  }
  if (!HOLD_ENDS.has(entry.kind)) return undefined;
  const hold = account.holds.get(entry.data['holdId'] ?? '');
  if (hold === undefined) return 'HOLD_NOT_FOUND';
  const expired = at.getTime() >= hold.expiresAt;
  if (expired !== (entry.kind === 'hold.expired')) return expired ? 'HOLD_EXPIRED' : 'HOLD_NOT_FOUND';
  const moved = entry.transfers.reduce((sum, { amount }) => sum + amount, 0n);
  return moved === hold.amount && entry.transfers.every(({ token }) => token === hold.token) ? undefined : 'AMOUNT_INVALID';
};

const balanceIn = (state: StateReader, side: Side, token: string): Amount =>
  side.owner === 'system' ? state.system(side.name, token) : (state.account(side.accountId)?.balances.get(`${token}/${side.bucket}`) ?? 0n);

/**
 * Whether every debit is covered when its turn comes. An entry that overdraws in its middle is refused although it would come out
 * right.
 */
const isCovered = (state: StateReader, moves: readonly Move[]): boolean => {
  const [only] = moves;
  if (only === undefined) return true;
  if (moves.length === 1) {
    const { from, transfer } = only;
    return (from.owner === 'system' && mayOverdraw(from.name)) || balanceIn(state, from, transfer.token) >= transfer.amount;
  }
  const after = new Map<string, Amount>();
  for (const { from, to, transfer } of moves) {
    const { debit, credit, token, amount } = transfer;
    const [taken, given] = [`${token} ${debit}`, `${token} ${credit}`];
    const left = (after.get(taken) ?? balanceIn(state, from, token)) - amount;
    if (left < 0n && !(from.owner === 'system' && mayOverdraw(from.name))) return false;
    after.set(taken, left);
    after.set(given, (after.get(given) ?? balanceIn(state, to, token)) + amount);
  }
  return true;
};

/**
 * Whether a new entry may be written: states, limits, times and funds. Asked once, when the entry is drafted, and never again: what
 * has been admitted stays in the journal however the rules change. Changes nothing.
 * @param at time of the block
 * @returns why not; undefined when it may
 * @throws InvariantError when the entry moves what its kind must not
 */
export const admit = (state: StateReader, entry: Proposal, moves: readonly Move[], at: Date): Refusal | undefined => {
  for (const { from, to } of moves) {
    assertOwnMoney(entry, from);
    assertOwnMoney(entry, to);
  }
  if (entry.kind === 'account.opened') return undefined;
  const refusal = accountsRefusal(state, entry, moves);
  if (refusal !== undefined) return refusal;
  const account = state.account(entry.accountId);
  if (account === undefined) return 'ACCOUNT_NOT_FOUND';
  return (
    changeRefusal(account, entry.kind) ?? holdRefusal(account, entry, at) ?? (isCovered(state, moves) ? undefined : 'INSUFFICIENT_FUNDS')
  );
};
