import type { Amount } from '@florin/rpc/money';
import type { AccountStatus } from './account.ts';
import { type AccountState, balanceOf, balancesOf } from './account-state.ts';
import type { Move } from './apply-entry.ts';
import { type EntryKind, isForced, isToSuccessor, type Proposal } from './entry.ts';
import { InvariantError } from './invariant-error.ts';
import { type Bucket, balanceKey, type Side } from './ledger-account.ts';
import type { StateReader } from './shard-state.ts';
import { DEFAULT_SYSTEM_ACCOUNTS, type SystemAccounts } from './system-accounts.ts';

/** Why an entry is not admitted, in the order in which the checks are made. */
export const REFUSALS = [
  'ACCOUNT_NOT_FOUND',
  'ACCOUNT_CLOSED',
  'ACCOUNT_NOT_ACTIVE',
  'ACCOUNT_BLOCKED',
  'CHAIN_HALTED',
  'TOKEN_BLOCKED',
  'ACCOUNT_STATE_CONFLICT',
  'ACCOUNT_NOT_EMPTY',
  'HOLD_EXPIRED',
  'HOLD_LIMIT_REACHED',
  'INSUFFICIENT_FUNDS',
  'COLLECTION_LIMIT_REACHED',
] as const;
export type Refusal = (typeof REFUSALS)[number];

/** Maximum number of open holds per account: all of them are stored on its balance page, which is copied when one changes. */
export const MAX_OPEN_HOLDS = 1000;

/** Kinds that spend: what they debit is `available`, and the account has to be active. */
const SPENDS: ReadonlySet<EntryKind> = new Set(['transfer', 'reversal', 'hold.created', 'hold.increased', 'withdrawal.created']);

/** Kinds that end what was begun, with money that the account has for it: admitted in every state of the account. */
const ENDS: ReadonlySet<EntryKind> = new Set([
  'hold.decreased',
  'hold.posted',
  'hold.voided',
  'hold.expired',
  'deposit.approved',
  'deposit.rejected',
  'withdrawal.processing',
  'withdrawal.completed',
  'withdrawal.failed',
]);

/** Kinds that may touch several accounts, but only these buckets of theirs. */
const BETWEEN_ACCOUNTS: ReadonlySet<EntryKind> = new Set(['transfer', 'reversal']);
const FREE_BUCKETS: ReadonlySet<Bucket> = new Set(['available', 'settling', 'debt']);

/** Statuses from which a kind of entry may change the status. */
const STATUS_BEFORE: Partial<Record<EntryKind, readonly AccountStatus[]>> = {
  'account.activated': ['provisioning'],
  'account.blocked': ['active'],
  'account.unblocked': ['blocked'],
  'account.closed': ['provisioning', 'active', 'blocked'],
};

/** Rejects proposals that only a defect can produce. @throws InvariantError */
const assertOwnMoney = (entry: Proposal, side: Side): void => {
  if (side.owner === 'system') return;
  const allowed = BETWEEN_ACCOUNTS.has(entry.kind) ? FREE_BUCKETS.has(side.bucket) : side.accountId === entry.accountId;
  if (!allowed) throw new InvariantError(`${entry.id}: moves money of another account, or money that is not available`);
};

const statusRefusal = (account: AccountState | undefined, spends: boolean, anyState: boolean): Refusal | undefined => {
  if (account === undefined) return 'ACCOUNT_NOT_FOUND';
  if (anyState) return undefined;
  if (account.status === 'closed') return 'ACCOUNT_CLOSED';
  if (!spends || account.status === 'active') return undefined;
  return account.status === 'blocked' ? 'ACCOUNT_BLOCKED' : 'ACCOUNT_NOT_ACTIVE';
};

/** The one of two refusals that is returned. */
const worse = (a: Refusal | undefined, b: Refusal | undefined): Refusal | undefined => {
  if (a === undefined || b === undefined) return a ?? b;
  return REFUSALS.indexOf(b) < REFUSALS.indexOf(a) ? b : a;
};

/** Settling money was spent before, and repaying debt spends nothing. */
const isSpent = (from: Side, to: Side): boolean =>
  !(from.owner === 'user' && from.bucket === 'settling') && !(to.owner === 'user' && to.bucket === 'debt');

/** Collecting spent money from a Safe takes nothing from the user, whose account may be closed by then. */
const isCollected = (moves: readonly Move[]): boolean =>
  moves.length > 0 && moves.every(({ from, to }) => from.owner === 'user' && from.bucket === 'settling' && to.owner === 'system');

/** The worst refusal that the states of the accounts cause, by precedence. */
const accountsRefusal = (state: StateReader, entry: Proposal, moves: readonly Move[]): Refusal | undefined => {
  const spends = SPENDS.has(entry.kind);
  const anyState = isForced(entry) || isToSuccessor(entry) || ENDS.has(entry.kind) || isCollected(moves);
  let worst = entry.accountId === '' ? undefined : statusRefusal(state.account(entry.accountId), false, anyState);
  for (const { from, to } of moves) {
    if (from.owner === 'user') worst = worse(worst, statusRefusal(state.account(from.accountId), spends && isSpent(from, to), anyState));
    // The entry's own account has been checked already.
    if (to.owner === 'user' && to.accountId !== entry.accountId)
      worst = worse(worst, statusRefusal(state.account(to.accountId), false, anyState));
  }
  return worst;
};

/** Why tokens cannot be spent, by symbol, and by `symbol/account id` where it concerns one account. */
export type HaltedTokens = ReadonlyMap<string, 'CHAIN_HALTED' | 'TOKEN_BLOCKED'>;

const NONE: HaltedTokens = new Map();

const haltRefusal = (entry: Proposal, moves: readonly Move[], halted: HaltedTokens): Refusal | undefined => {
  if (halted.size === 0 || !SPENDS.has(entry.kind) || isForced(entry)) return undefined;
  let worst: Refusal | undefined;
  for (const { from, to, transfer } of moves) {
    if (from.owner !== 'user' || !isSpent(from, to)) continue;
    worst = worse(worst, worse(halted.get(transfer.token), halted.get(`${transfer.token}/${from.accountId}`)));
  }
  return worst;
};

/** Reports whether an account has no money of the user once the moves are made. Settling money is the operator's. */
const isEmptyAfter = (account: AccountState, moves: readonly Move[]): boolean =>
  balancesOf(account).every(([key, amount]) => {
    const isMoved = ({ from, transfer: { token } }: Move): boolean => from.owner === 'user' && balanceKey(token, from.bucket) === key;
    const left = moves.filter(isMoved).reduce((rest, { transfer }) => rest - transfer.amount, amount);
    return left === 0n || key.endsWith('/settling');
  });

const changeRefusal = (account: AccountState, kind: EntryKind, moves: readonly Move[]): Refusal | undefined => {
  const from = STATUS_BEFORE[kind];
  if (from === undefined) return undefined;
  if (!from.includes(account.status)) return 'ACCOUNT_STATE_CONFLICT';
  return kind === 'account.closed' && !isEmptyAfter(account, moves) ? 'ACCOUNT_NOT_EMPTY' : undefined;
};

/** Rules for new holds; what changes or ends one is checked where it is proposed (`hold.ts`), with the hold at hand. */
const holdRefusal = (account: AccountState, entry: Proposal, at: Date): Refusal | undefined => {
  if (entry.kind !== 'hold.created') return undefined;
  if (Date.parse(entry.data['expiresAt'] ?? '') <= at.getTime()) return 'HOLD_EXPIRED';
  return account.holds.size >= MAX_OPEN_HOLDS ? 'HOLD_LIMIT_REACHED' : undefined;
};

/** Most that an account may have held and spent, and not collected yet, by token. */
export type CollectionLimits = ReadonlyMap<string, Amount>;

/**
 * Reports whether new holds leave what is held and what is settling within what can be collected from the Safe before its owner leaves with it.
 */
const isCollectable = (account: AccountState, moves: readonly Move[], limits: CollectionLimits): boolean =>
  moves.every(({ to, transfer: { token, amount } }) => {
    const most = limits.get(token);
    if (most === undefined || to.owner !== 'user' || to.bucket !== 'held') return true;
    return balanceOf(account, token, 'held') + balanceOf(account, token, 'settling') + amount <= most;
  });

/** Kinds by which cards come to spend. */
const HOLDS: ReadonlySet<EntryKind> = new Set(['hold.created', 'hold.increased']);

const balanceIn = (state: StateReader, side: Side, token: string): Amount => {
  if (side.owner === 'system') return state.system(side.name, token);
  const account = state.account(side.accountId);
  return account === undefined ? 0n : balanceOf(account, token, side.bucket);
};

/** Returns true for an account that may go below zero: `debt` always, a system account if it is configured so. */
const mayOverdraw = (side: Side, systemAccounts: SystemAccounts): boolean =>
  side.owner === 'user' ? side.bucket === 'debt' : systemAccounts.get(side.name)?.overdraft === true;

/**
 * Reports whether every debit is covered at its turn. An entry that overdraws in its middle is refused although it would come out right.
 */
const isCovered = (state: StateReader, moves: readonly Move[], systemAccounts: SystemAccounts): boolean => {
  const [only] = moves;
  if (only === undefined) return true;
  if (moves.length === 1) {
    const { from, transfer } = only;
    return mayOverdraw(from, systemAccounts) || balanceIn(state, from, transfer.token) >= transfer.amount;
  }
  const after = new Map<string, Amount>();
  for (const { from, to, transfer } of moves) {
    const { debit, credit, token, amount } = transfer;
    const [taken, given] = [`${token} ${debit}`, `${token} ${credit}`];
    const left = (after.get(taken) ?? balanceIn(state, from, token)) - amount;
    if (left < 0n && !mayOverdraw(from, systemAccounts)) return false;
    after.set(taken, left);
    after.set(given, (after.get(given) ?? balanceIn(state, to, token)) + amount);
  }
  return true;
};

/**
 * Reports whether a new entry may be written: states, limits, times and funds. Asked once, when the entry is drafted, and never again: what
 * has been admitted stays in the journal however the rules change. Changes nothing.
 * @param at time of the block
 * @param halted tokens that cannot be spent
 * @param limits of the entry's own account
 * @returns why not; undefined when it may
 * @throws InvariantError when the entry moves what its kind must not
 */
export const admit = (
  state: StateReader,
  entry: Proposal,
  moves: readonly Move[],
  at: Date,
  systemAccounts: SystemAccounts = DEFAULT_SYSTEM_ACCOUNTS,
  halted: HaltedTokens = NONE,
  limits?: CollectionLimits,
): Refusal | undefined => {
  for (const { from, to } of moves) {
    assertOwnMoney(entry, from);
    assertOwnMoney(entry, to);
  }
  if (entry.kind === 'account.opened') return undefined;
  const refusal = worse(accountsRefusal(state, entry, moves), haltRefusal(entry, moves, halted));
  if (refusal !== undefined) return refusal;
  const account = entry.accountId === '' ? undefined : state.account(entry.accountId);
  const ownRefusal = account && (changeRefusal(account, entry.kind, moves) ?? holdRefusal(account, entry, at));
  if (ownRefusal !== undefined) return ownRefusal;
  if (isForced(entry)) return undefined;
  if (!isCovered(state, moves, systemAccounts)) return 'INSUFFICIENT_FUNDS';
  if (limits === undefined || account === undefined || !HOLDS.has(entry.kind)) return undefined;
  return isCollectable(account, moves, limits) ? undefined : 'COLLECTION_LIMIT_REACHED';
};
