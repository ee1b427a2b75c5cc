import type { Amount } from '@florin/kit/money';
import type { Entry, Transfer } from './entry.ts';
import { BUCKETS, mayOverdraw, parseLedgerAccount, userAccount } from './ledger-account.ts';

/** Balances of ledger accounts and the accounts that ended, as of some block. */
export type StateReader = {
  /** Zero for an account that never moved. */
  balance: (ledgerAccount: string) => Amount;
  isClosed: (accountId: string) => boolean;
  tokens: () => Iterable<string>;
};

/** A reader that can be written to. Nothing reaches the layer below before `merge`. */
export type StateLayer = StateReader & {
  add: (ledgerAccount: string, token: string, delta: Amount) => void;
  close: (accountId: string) => void;
  merge: () => void;
};

export type LedgerState = Omit<StateLayer, 'merge'> & {
  balances: () => IterableIterator<[ledgerAccount: string, balance: Amount]>;
  copy: () => LedgerState;
};

/** A state without anything below. */
export const createState = (balances = new Map<string, Amount>(), closed = new Set<string>(), tokens = new Set<string>()): LedgerState => ({
  balance: (name) => balances.get(name) ?? 0n,
  isClosed: (accountId) => closed.has(accountId),
  tokens: () => tokens,
  add: (name, token, delta) => {
    tokens.add(token);
    balances.set(name, (balances.get(name) ?? 0n) + delta);
  },
  close: (accountId) => {
    closed.add(accountId);
  },
  balances: () => balances.entries(),
  copy: () => createState(new Map(balances), new Set(closed), new Set(tokens)),
});

/** Speculates on top of a state: reads fall through, writes stay until `merge`. */
export const createLayer = (base: Omit<StateLayer, 'merge'>): StateLayer => {
  const deltas = new Map<string, { token: string; delta: Amount }>();
  const closed = new Set<string>();
  const tokens = new Set<string>();
  return {
    balance: (name) => base.balance(name) + (deltas.get(name)?.delta ?? 0n),
    isClosed: (accountId) => closed.has(accountId) || base.isClosed(accountId),
    tokens: () => new Set([...base.tokens(), ...tokens]),
    add: (name, token, delta) => {
      tokens.add(token);
      deltas.set(name, { token, delta: (deltas.get(name)?.delta ?? 0n) + delta });
    },
    close: (accountId) => {
      closed.add(accountId);
    },
    merge: () => {
      for (const [name, { token, delta }] of deltas) base.add(name, token, delta);
      for (const accountId of closed) base.close(accountId);
    },
  };
};

/** The journal's rules were broken by our own code or by a change of stored blocks. Never the fault of a request. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError';
}

const isEmpty = (state: StateReader, accountId: string): boolean => {
  for (const token of state.tokens()) {
    if (BUCKETS.some((bucket) => state.balance(userAccount(accountId, token, bucket)) !== 0n)) return false;
  }
  return true;
};

const move = (state: StateLayer, entry: Entry, { debit, credit, token, amount }: Transfer): boolean => {
  const from = parseLedgerAccount(debit);
  const to = parseLedgerAccount(credit);
  if (from === undefined || to === undefined) throw new InvariantError(`${entry.id}: not a ledger account`);
  if (from.token !== token || to.token !== token) throw new InvariantError(`${entry.id}: a transfer changes the token`);
  if (amount <= 0n || debit === credit) throw new InvariantError(`${entry.id}: a transfer moves nothing`);
  for (const side of [from, to]) {
    if (side.owner === 'user' && side.accountId !== entry.accountId) throw new InvariantError(`${entry.id}: moves a stranger's money`);
  }
  // Checked transfer by transfer: an entry that overdraws in its middle is refused although it would come out right.
  if (!mayOverdraw(from) && state.balance(debit) < amount) return false;
  state.add(debit, token, -amount);
  state.add(credit, token, amount);
  return true;
};

export type Refusal = 'ACCOUNT_CLOSED' | 'ACCOUNT_NOT_EMPTY' | 'INSUFFICIENT_FUNDS';

/**
 * Applies an entry as a whole, or answers why it cannot be and changes nothing. The one place that changes balances: drafting,
 * loading and verifying all come through here. Every transfer debits what it credits, so a token's sum stays zero.
 * @throws InvariantError when the entry itself is malformed
 */
export const applyEntry = (state: Omit<StateLayer, 'merge'>, entry: Entry): Refusal | undefined => {
  if (state.isClosed(entry.accountId)) return 'ACCOUNT_CLOSED';
  const layer = createLayer(state);
  if (entry.kind === 'account.closed') {
    if (!isEmpty(layer, entry.accountId)) return 'ACCOUNT_NOT_EMPTY';
    layer.close(entry.accountId);
  }
  for (const transfer of entry.transfers) {
    if (!move(layer, entry, transfer)) return 'INSUFFICIENT_FUNDS';
  }
  layer.merge();
  return undefined;
};
