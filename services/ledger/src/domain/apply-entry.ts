import type { Amount } from '@florin/rpc/money';
import type { AccountStatus } from './account.ts';
import { type AccountState, bookedBalance, isEmpty } from './account-state.ts';
import type { EntryKind, Proposal, Transfer } from './entry.ts';
import { mayOverdraw, OPEN_SYSTEM_ACCOUNTS, parseLedgerAccount, type Side } from './ledger-account.ts';
import type { Speculation } from './shard-state.ts';

/** The journal's rules were broken by our own code or by a change of stored blocks. Never the fault of a request. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError';
}

/** Why an entry cannot be applied, in the order in which the checks are made. */
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

/** `booked` is undefined where it cannot be told: when a stored page is ahead of the block that is being replayed. */
export type Applied = { refusal: Refusal } | { refusal?: undefined; booked: readonly (Amount | undefined)[] };

/** Whether a stored page already holds what the block does to an account (its id) or to the system accounts (undefined). */
export type Settled = (accountId: string | undefined) => boolean;

/** Open holds of one account: all of them are kept on its balance page, and copied when one changes. */
export const MAX_OPEN_HOLDS = 1000;

const NOTHING_SETTLED: Settled = () => false;

/** Kinds that spend: what they debit is `available`, and the account has to be active. */
const SPENDS: ReadonlySet<EntryKind> = new Set(['transfer', 'hold.created', 'withdrawal.created']);

/** From which status a kind leads to which. */
const STATUS_CHANGES: Partial<Record<EntryKind, { from: readonly AccountStatus[]; to: AccountStatus }>> = {
  'account.activated': { from: ['provisioning'], to: 'active' },
  'account.blocked': { from: ['active'], to: 'blocked' },
  'account.unblocked': { from: ['blocked'], to: 'active' },
  'account.closed': { from: ['provisioning', 'active', 'blocked'], to: 'closed' },
};

type Move = { from: Side; to: Side; transfer: Transfer };

const checkSide = (entry: Proposal, side: Side | undefined): Side => {
  const fail = (what: string): never => {
    throw new InvariantError(`${entry.id}: ${what}`);
  };
  if (side === undefined) return fail('not a ledger account');
  const free = entry.kind === 'transfer';
  if (side.owner === 'user') {
    if (free ? side.bucket !== 'available' : side.accountId !== entry.accountId)
      return fail("moves a stranger's money, or money that is not free");
  } else if (free && !OPEN_SYSTEM_ACCOUNTS.includes(side.name)) return fail(`${side.name} takes no transfers of services`);
  return side;
};

const movesOf = (entry: Proposal): Move[] =>
  entry.transfers.map((transfer) => {
    const from = checkSide(entry, parseLedgerAccount(transfer.debit));
    const to = checkSide(entry, parseLedgerAccount(transfer.credit));
    if (transfer.amount <= 0n || transfer.debit === transfer.credit) throw new InvariantError(`${entry.id}: a transfer moves nothing`);
    return { from, to, transfer };
  });

/** Accounts and tokens that an entry's transfers touch, each once, in the order in which they appear. */
export const touchedBy = (transfers: readonly Transfer[]): { accountId: string; token: string }[] => {
  const touched: { accountId: string; token: string }[] = [];
  for (const { debit, credit, token } of transfers) {
    for (const name of [debit, credit]) {
      const slash = name.indexOf('/');
      if (slash === -1) continue;
      const accountId = name.slice(0, slash);
      if (!touched.some((one) => one.accountId === accountId && one.token === token)) touched.push({ accountId, token });
    }
  }
  return touched;
};

/** Accounts that must be in memory before an entry can be judged. */
export const accountsOf = ({ accountId, transfers }: Pick<Proposal, 'accountId' | 'transfers'>): string[] => [
  ...new Set([accountId, ...touchedBy(transfers).map((one) => one.accountId)]),
];

const statusRefusal = (account: AccountState | undefined, spends: boolean): Refusal | undefined => {
  if (account === undefined) return 'ACCOUNT_NOT_FOUND';
  if (account.status === 'closed') return 'ACCOUNT_CLOSED';
  if (!spends || account.status === 'active') return undefined;
  return account.status === 'blocked' ? 'ACCOUNT_BLOCKED' : 'ACCOUNT_NOT_ACTIVE';
};

/** The one of two refusals that is answered. */
const worse = (a: Refusal | undefined, b: Refusal | undefined): Refusal | undefined => {
  if (a === undefined || b === undefined) return a ?? b;
  return REFUSALS.indexOf(b) < REFUSALS.indexOf(a) ? b : a;
};

/** The worst refusal that the states of the accounts cause, by precedence. */
const accountsRefusal = (state: Speculation, entry: Proposal, moves: readonly Move[], settled: Settled): Refusal | undefined => {
  const spends = SPENDS.has(entry.kind);
  const refusalOf = (accountId: string, debited: boolean): Refusal | undefined =>
    settled(accountId) ? undefined : statusRefusal(state.account(accountId), spends && debited);
  let worst = refusalOf(entry.accountId, false);
  for (const { from, to } of moves) {
    if (from.owner === 'user') worst = worse(worst, refusalOf(from.accountId, true));
    // The entry's own account was looked at already.
    if (to.owner === 'user' && to.accountId !== entry.accountId) worst = worse(worst, refusalOf(to.accountId, false));
  }
  return worst;
};

/** Adds to a balance, or answers false when that would take it below zero. */
const add = (state: Speculation, side: Side, token: string, delta: Amount): boolean => {
  if (side.owner === 'system') {
    const after = state.system(side.name, token) + delta;
    if (after < 0n && !mayOverdraw(side.name)) return false;
    state.setSystem(side.name, token, after);
    return true;
  }
  const account = state.edit(side.accountId);
  if (account === undefined) throw new InvariantError(`${side.accountId} is not open`);
  const key = `${token}/${side.bucket}`;
  const after = (account.balances.get(key) ?? 0n) + delta;
  if (after < 0n) return false;
  account.balances.set(key, after);
  return true;
};

/**
 * Moves the money of all transfers, one after the other, or none. An entry that overdraws in its middle is refused although it
 * would come out right.
 */
const moveAll = (state: Speculation, moves: readonly Move[], settled: Settled): boolean => {
  const done: { side: Side; token: string; delta: Amount }[] = [];
  for (const { from, to, transfer } of moves) {
    for (const { side, delta } of [
      { side: from, delta: -transfer.amount },
      { side: to, delta: transfer.amount },
    ]) {
      if (settled(side.owner === 'user' ? side.accountId : undefined)) continue;
      if (add(state, side, transfer.token, delta)) {
        done.push({ side, token: transfer.token, delta });
        continue;
      }
      // Backwards, so that no balance passes below zero on the way.
      for (const { side: undone, token, delta: taken } of done.reverse()) add(state, undone, token, -taken);
      return false;
    }
  }
  return true;
};

const holdRefusal = (account: AccountState, entry: Proposal, at: Date): Refusal | undefined => {
  const hold = account.holds.get(entry.data['holdId'] ?? '');
  if (hold === undefined) return 'HOLD_NOT_FOUND';
  const expired = at.getTime() >= hold.expiresAt;
  if (expired !== (entry.kind === 'hold.expired')) return expired ? 'HOLD_EXPIRED' : 'HOLD_NOT_FOUND';
  const moved = entry.transfers.reduce((sum, { amount }) => sum + amount, 0n);
  return moved === hold.amount && entry.transfers.every(({ token }) => token === hold.token) ? undefined : 'AMOUNT_INVALID';
};

/** A repeat of an order that was taken is answered for ever; a new hold has to end in the future. */
const newHoldRefusal = ({ data }: Proposal, at: Date, account: AccountState | undefined): Refusal | undefined => {
  if (Date.parse(data['expiresAt'] ?? '') <= at.getTime()) return 'HOLD_EXPIRED';
  return account !== undefined && account.holds.size >= MAX_OPEN_HOLDS ? 'HOLD_LIMIT_REACHED' : undefined;
};

const changeHolds = (account: AccountState, entry: Proposal): void => {
  const holds = new Map(account.holds);
  account.holds = holds;
  if (entry.kind !== 'hold.created') {
    holds.delete(entry.data['holdId'] ?? '');
    return;
  }
  const [transfer] = entry.transfers;
  const { credit, expiresAt } = entry.data;
  if (transfer === undefined || credit === undefined || expiresAt === undefined)
    throw new InvariantError(`${entry.id}: an incomplete hold`);
  const { token, amount } = transfer;
  holds.set(entry.id, { token, amount, credit, expiresAt: Date.parse(expiresAt) });
};

const isHoldResolution = (kind: EntryKind): boolean => kind === 'hold.posted' || kind === 'hold.voided' || kind === 'hold.expired';

/**
 * Applies an entry as a whole, or answers why it cannot be and changes nothing. The one place that changes balances: drafting,
 * replaying and verifying all come through here. Every transfer debits what it credits, so a token's sum stays zero.
 * @param at time of the block
 * @throws InvariantError when the entry itself is malformed
 */
export const applyEntry = (state: Speculation, entry: Proposal, at: Date, settled: Settled = NOTHING_SETTLED): Applied => {
  const moves = movesOf(entry);
  if (entry.kind === 'account.opened') {
    if (!settled(entry.accountId)) {
      if (state.account(entry.accountId) !== undefined) throw new InvariantError(`${entry.id}: the account is open already`);
      state.open(entry.accountId);
    }
    return { booked: [] };
  }
  const refusal = accountsRefusal(state, entry, moves, settled);
  if (refusal !== undefined) return { refusal };

  if (!settled(entry.accountId)) {
    const account = state.account(entry.accountId);
    if (account === undefined) return { refusal: 'ACCOUNT_NOT_FOUND' };
    const change = STATUS_CHANGES[entry.kind];
    if (change !== undefined) {
      if (!change.from.includes(account.status)) return { refusal: 'ACCOUNT_STATE_CONFLICT' };
      if (change.to === 'closed' && !isEmpty(account)) return { refusal: 'ACCOUNT_NOT_EMPTY' };
      const own = state.edit(entry.accountId);
      if (own !== undefined) own.status = change.to;
    }
    const unheld = isHoldResolution(entry.kind) ? holdRefusal(account, entry, at) : undefined;
    if (unheld !== undefined) return { refusal: unheld };
  }
  const ended =
    entry.kind === 'hold.created'
      ? newHoldRefusal(entry, at, settled(entry.accountId) ? undefined : state.account(entry.accountId))
      : undefined;
  if (ended !== undefined) return { refusal: ended };
  if (!moveAll(state, moves, settled)) return { refusal: 'INSUFFICIENT_FUNDS' };
  if (entry.kind.startsWith('hold.') && !settled(entry.accountId)) {
    const own = state.edit(entry.accountId);
    if (own !== undefined) changeHolds(own, entry);
  }
  return {
    booked: touchedBy(entry.transfers).map(({ accountId, token }) => {
      const account = settled(accountId) ? undefined : state.account(accountId);
      return account === undefined ? undefined : bookedBalance(account, token);
    }),
  };
};
