import { LRUCache } from 'lru-cache';
import type { Account } from '../domain/account.ts';

/** The parts of an account that never change. */
export type AccountFacts = Pick<Account, 'id' | 'chainId' | 'nativeCurrency' | 'additionalCurrencies'>;

/** Maximum number of users remembered per process: a few megabytes. */
const MAX_USERS = 10_000;

/** Maximum time an account is remembered, so that a user's newer account is found within this time. */
const MAX_AGE_MS = 5000;

export type RecentAccounts = {
  /** Returns the user's account, possibly from memory. */
  find: (userId: string) => Promise<AccountFacts | undefined>;
  /** Call it when the account turns out to be closed: the user may have a newer one. */
  forget: (userId: string) => void;
};

/**
 * Remembers the accounts of users, so that reading balances, which are in memory, needs no database. Only accounts that exist are
 * remembered. A full memory evicts the least recently used account.
 */
export const createRecentAccounts = (
  findByUser: (userId: string) => Promise<AccountFacts | undefined>,
  now: () => Date,
  maxUsers = MAX_USERS,
): RecentAccounts => {
  const remembered = new LRUCache<string, { account: AccountFacts; until: number }>({ max: maxUsers });
  return {
    find: async (userId) => {
      const time = now().getTime();
      const known = remembered.get(userId);
      if (known !== undefined && time < known.until) return known.account;
      remembered.delete(userId);
      const account = await findByUser(userId);
      if (account === undefined) return undefined;
      const { id, chainId, nativeCurrency, additionalCurrencies } = account;
      remembered.set(userId, { account: { id, chainId, nativeCurrency, additionalCurrencies }, until: time + MAX_AGE_MS });
      return account;
    },
    forget: (userId) => {
      remembered.delete(userId);
    },
  };
};
