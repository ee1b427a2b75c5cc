import type { Amount } from '@florin/rpc/money';
import { type AccountState, copyAccountState, newAccountState } from './account-state.ts';
import type { SystemAccount } from './ledger-account.ts';

/** Accounts of a shard as of some block. */
export type StateReader = {
  /** Undefined when no such account was opened. */
  account: (accountId: string) => AccountState | undefined;
  system: (name: SystemAccount, token: string) => Amount;
};

/** Changes on top of a state, not visible until they are merged. */
export type Speculation = StateReader & {
  /** The account's own copy in this speculation, to be changed in place. */
  edit: (accountId: string) => AccountState | undefined;
  open: (accountId: string) => void;
  setSystem: (name: SystemAccount, token: string, balance: Amount) => void;
  /** Puts the speculation onto another state, which must hold what the one before held. */
  rebase: (base: StateReader) => void;
  /** Accounts that were touched, as they are now. */
  accounts: () => ReadonlyMap<string, AccountState>;
  /** System balances that were touched, by `<name>/<token>`. */
  systems: () => ReadonlyMap<string, Amount>;
};

export const systemKey = (name: SystemAccount, token: string): string => `${name}/${token}`;

export const createSpeculation = (first: StateReader): Speculation => {
  let base = first;
  const accounts = new Map<string, AccountState>();
  const systems = new Map<string, Amount>();
  return {
    account: (id) => accounts.get(id) ?? base.account(id),
    system: (name, token) => systems.get(systemKey(name, token)) ?? base.system(name, token),
    edit: (id) => {
      const own = accounts.get(id);
      if (own !== undefined) return own;
      const below = base.account(id);
      if (below === undefined) return undefined;
      const copy = copyAccountState(below);
      accounts.set(id, copy);
      return copy;
    },
    open: (id) => {
      accounts.set(id, newAccountState());
    },
    setSystem: (name, token, balance) => {
      systems.set(systemKey(name, token), balance);
    },
    rebase: (next) => {
      base = next;
    },
    accounts: () => accounts,
    systems: () => systems,
  };
};

/** A whole state in memory, without pages: for audits and tests. */
export const createWholeState = () => {
  const accounts = new Map<string, AccountState>();
  const systems = new Map<string, Amount>();
  const reader: StateReader = {
    account: (id) => accounts.get(id),
    system: (name, token) => systems.get(systemKey(name, token)) ?? 0n,
  };
  return {
    ...reader,
    merge: (speculation: Pick<Speculation, 'accounts' | 'systems'>): void => {
      for (const [id, account] of speculation.accounts()) accounts.set(id, account);
      for (const [key, balance] of speculation.systems()) systems.set(key, balance);
    },
    accounts: (): ReadonlyMap<string, AccountState> => accounts,
    systems: (): ReadonlyMap<string, Amount> => systems,
  };
};

export type WholeState = ReturnType<typeof createWholeState>;
