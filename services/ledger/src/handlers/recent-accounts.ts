import type { Account } from '../domain/account.ts';

/** What of an account never changes. */
export type AccountFacts = Pick<Account, 'id' | 'chainId' | 'nativeCurrency' | 'additionalCurrencies'>;

/** Users remembered per process: some megabytes at most. */
const MAX_USERS = 10_000;

/** A second account that is opened while the first one lives is seen after at most so long. */
const MAX_AGE_MS = 5000;

export type RecentAccounts = {
  /** The user's account, perhaps as it was found a moment ago. */
  find: (userId: string) => Promise<AccountFacts | undefined>;
  /** To be called when the account turns out to be closed: the user may have another one by now. */
  forget: (userId: string) => void;
};

/**
 * Remembers whose account is which, so that reading balances, which are in memory, asks no database. Only accounts that were found,
 * and only what never changes of them. The one that was asked for least recently makes room for a new one.
 */
export const createRecentAccounts = (
  findByUser: (userId: string) => Promise<AccountFacts | undefined>,
  now: () => Date,
  maxUsers = MAX_USERS,
): RecentAccounts => {
  const remembered = new Map<string, { account: AccountFacts; until: number }>();
  return {
    find: async (userId) => {
      const time = now().getTime();
      const known = remembered.get(userId);
      remembered.delete(userId);
      if (known !== undefined && time < known.until) {
        remembered.set(userId, known);
        return known.account;
      }
      const account = await findByUser(userId);
      if (account === undefined) return undefined;
      const { id, chainId, nativeCurrency, additionalCurrencies } = account;
      remembered.delete(userId);
      remembered.set(userId, { account: { id, chainId, nativeCurrency, additionalCurrencies }, until: time + MAX_AGE_MS });
      if (remembered.size > maxUsers) {
        const oldest = remembered.keys().next().value;
        if (oldest !== undefined) remembered.delete(oldest);
      }
      return account;
    },
    forget: (userId) => {
      remembered.delete(userId);
    },
  };
};
