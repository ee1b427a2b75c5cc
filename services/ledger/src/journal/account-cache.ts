import type { AccountState } from '../domain/account-state.ts';

/** Accounts that were used lately, decoded: at least so many, at most twice as many. */
export type AccountCache = {
  get: (id: string) => AccountState | undefined;
  set: (id: string, account: AccountState) => void;
};

/** Two generations: when the young one is full it becomes the old one, and what is used moves back. */
export const createAccountCache = (least: number): AccountCache => {
  let young = new Map<string, AccountState>();
  let old = new Map<string, AccountState>();
  const set = (id: string, account: AccountState): void => {
    if (young.size >= least && !young.has(id)) {
      old = young;
      young = new Map();
    }
    young.set(id, account);
  };
  return {
    get: (id) => {
      const hit = young.get(id);
      if (hit !== undefined) return hit;
      const older = old.get(id);
      if (older !== undefined) set(id, older);
      return older;
    },
    set,
  };
};
