import type { AccountState } from '../domain/account-state.ts';

/**
 * A page of balances in memory. `dirty`: it holds something that is not stored. `writing`: it is being written, and not evicted meanwhile. `shared`: the write refers to
 * `accounts`, so that a change makes a copy first. `usedIn`: the round that used it last.
 */
export type Page = { accounts: Map<string, AccountState>; dirty: boolean; writing: boolean; shared: boolean; usedIn: number };
