import type { Amount } from '@florin/rpc/money';
import type { AccountStatus } from './account.ts';
import { type AccountState, addTo, balanceOf, bookedBalance, sumOfParts } from './account-state.ts';
import type { EntryKind, Proposal, Transfer } from './entry.ts';
import { changeHolds } from './hold-parts.ts';
import { InvariantError } from './invariant-error.ts';
import { balanceKey, parseLedgerAccount, type Side } from './ledger-account.ts';
import type { Speculation } from './shard-state.ts';

export { InvariantError } from './invariant-error.ts';

/** A transfer with both of its sides read. */
export type Move = { from: Side; to: Side; transfer: Transfer };

/** Status that a kind of entry leads to. */
const STATUS_AFTER: Partial<Record<EntryKind, AccountStatus>> = {
  'account.activated': 'active',
  'account.blocked': 'blocked',
  'account.unblocked': 'active',
  'account.closed': 'closed',
};

const sideOf = (entry: Proposal, name: string): Side => {
  const side = parseLedgerAccount(name);
  if (side === undefined) throw new InvariantError(`${entry.id}: ${name} is not a ledger account`);
  return side;
};

/** The entry's transfers with their sides. @throws InvariantError when one of them is malformed */
export const movesOf = (entry: Proposal): Move[] =>
  entry.transfers.map((transfer) => {
    if (transfer.amount <= 0n || transfer.debit === transfer.credit) throw new InvariantError(`${entry.id}: a transfer moves nothing`);
    return { from: sideOf(entry, transfer.debit), to: sideOf(entry, transfer.credit), transfer };
  });

/** An account and a token that an entry touches. */
export type Touch = { accountId: string; token: string };

const note = (touched: Touch[], accountId: string, token: string): void => {
  for (const one of touched) if (one.accountId === accountId && one.token === token) return;
  touched.push({ accountId, token });
};

const noteName = (touched: Touch[], name: string, token: string): void => {
  const slash = name.indexOf('/');
  if (slash !== -1) note(touched, name.slice(0, slash), token);
};

/** Accounts and tokens that an entry's transfers touch, each once, in the order in which they appear. */
export const touchedBy = (transfers: readonly Transfer[]): Touch[] => {
  const touched: Touch[] = [];
  for (const { debit, credit, token } of transfers) {
    noteName(touched, debit, token);
    noteName(touched, credit, token);
  }
  return touched;
};

/** The same of transfers whose sides are read. */
const touchedByMoves = (moves: readonly Move[]): Touch[] => {
  const touched: Touch[] = [];
  for (const { from, to, transfer } of moves) {
    if (from.owner === 'user') note(touched, from.accountId, transfer.token);
    if (to.owner === 'user') note(touched, to.accountId, transfer.token);
  }
  return touched;
};

/** Accounts that must be in memory before an entry can be judged. */
export const accountsOf = ({ accountId, transfers }: Pick<Proposal, 'accountId' | 'transfers'>): string[] => [
  ...new Set([...(accountId === '' ? [] : [accountId]), ...touchedBy(transfers).map((one) => one.accountId)]),
];

const editable = (state: Speculation, entry: Proposal, accountId: string): AccountState => {
  const account = state.edit(accountId);
  if (account === undefined) throw new InvariantError(`${entry.id}: account ${accountId} was never opened`);
  return account;
};

const add = (state: Speculation, entry: Proposal, side: Side, token: string, delta: Amount): void => {
  if (side.owner === 'system') {
    state.setSystem(side.name, token, state.system(side.name, token) + delta);
    return;
  }
  addTo(editable(state, entry, side.accountId), balanceKey(token, side.bucket), delta);
};

/** Booked balances in the order of `touchedBy`. Of the most frequent kind of entry without a list in between: one transfer from user to user. */
const bookedAfter = (state: Speculation, entry: Proposal, moves: readonly Move[]): Amount[] => {
  const [only] = moves;
  if (moves.length === 1 && only?.from.owner === 'user' && only.to.owner === 'user' && only.from.accountId !== only.to.accountId) {
    const { token } = only.transfer;
    const payer = bookedBalance(editable(state, entry, only.from.accountId), token);
    return [payer, bookedBalance(editable(state, entry, only.to.accountId), token)];
  }
  return touchedByMoves(moves).map(({ accountId, token }) => bookedBalance(editable(state, entry, accountId), token));
};

/** The `held` of an account is the sum of its open holds. */
const assertHeld = (account: AccountState, entry: Proposal, token: string): void => {
  let open = 0n;
  for (const hold of account.holds.values()) if (hold.token === token) open += sumOfParts(hold.parts);
  if (open !== balanceOf(account, token, 'held'))
    throw new InvariantError(`${entry.id}: the holds of ${token} do not add up to what is held`);
};

/**
 * Applies an entry to a state. The only function that changes balances: drafting (after `admit`), replay and rebuild call it. It
 * checks invariants only, which hold for every entry ever written: transfers are well formed and debit what they credit, so that the
 * sum of each token stays zero; accounts are opened before they are touched, and once; open holds add up to what is held. Rules about
 * what may be written (`admit-entry.ts`) are not checked, so that a new rule never invalidates the journal.
 * @returns the booked balances after the entry, one per account and token in the order of `touchedBy`
 * @throws InvariantError; the state is then undefined and must be discarded
 */
export const applyEntry = (state: Speculation, entry: Proposal, moves: readonly Move[] = movesOf(entry)): Amount[] => {
  if (entry.kind === 'account.opened') {
    if (state.account(entry.accountId) !== undefined) throw new InvariantError(`${entry.id}: the account is open already`);
    state.open(entry.accountId);
  }
  const status = STATUS_AFTER[entry.kind];
  if (status !== undefined) editable(state, entry, entry.accountId).status = status;
  for (const { from, to, transfer } of moves) {
    add(state, entry, from, transfer.token, -transfer.amount);
    add(state, entry, to, transfer.token, transfer.amount);
  }
  if (entry.kind.startsWith('hold.')) {
    const account = editable(state, entry, entry.accountId);
    assertHeld(account, entry, changeHolds(account, entry));
  }
  if (entry.accountId !== '' && state.account(entry.accountId) === undefined)
    throw new InvariantError(`${entry.id}: account ${entry.accountId} was never opened`);
  return bookedAfter(state, entry, moves);
};
