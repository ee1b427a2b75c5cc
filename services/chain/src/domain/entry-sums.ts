import type { Amount } from '@florin/rpc/money';

/** The sum of an account's entries in one token. */
export type EntrySum = {
  /** From `chain` to the account, less what went back. */
  booked: Amount;
  /** From the account to every other ledger account, less what came back. */
  elsewhere: Amount;
  /** Part of `elsewhere`: deposits that screening rejected. They are in the Safe, and are nobody's to spend or to collect. */
  refused: Amount;
  /** Entries by which `settlement` and the account's settling money were netted (`nettingId`). */
  nettings: number;
  /** Amount that these moved to `settlement`, less the amount that they moved back. */
  netted: Amount;
};

/** The sums of an account's entries up to a position of the ledger's, by token. Kept, they spare the next look at the account these entries. */
export type KnownSums = { position: string; tokens: ReadonlyMap<string, EntrySum> };
