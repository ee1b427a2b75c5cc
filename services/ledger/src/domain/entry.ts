import type { Amount } from '@florin/kit/money';

/** Moves an amount of one token from the debited to the credited ledger account. */
export type Transfer = {
  debit: string;
  credit: string;
  token: string;
  /** In the token's smallest unit, above zero. */
  amount: Amount;
};

export const ENTRY_KINDS = [
  'deposit.seen',
  'deposit.approved',
  'deposit.rejected',
  'withdrawal.created',
  'withdrawal.processing',
  'withdrawal.completed',
  'withdrawal.failed',
  'account.closed',
] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

/** A set of linked transfers that happen together or not at all; also what happened without moving money. */
export type Entry = {
  /** Unique in the journal: the idempotency key of the thing that happened. Two outcomes that exclude each other share one id. */
  id: string;
  kind: EntryKind;
  /** Account whose state the entry is about. All of its transfers stay within this account's shard. */
  accountId: string;
  /** Hash of what the caller asked for: tells a repeat from another request under the same id. */
  inputHash: string;
  transfers: readonly Transfer[];
  /** Facts for the projections. Strings only, so that there is one way to encode them. */
  data: Readonly<Record<string, string>>;
};

/** What the journal knows of an entry id. */
export type KnownEntry = { n: number; inputHash: string };
