import type { Amount } from '@florin/rpc/money';

/** Moves an amount of one token from the debited to the credited ledger account (`ledger-account.ts`). */
export type Transfer = {
  debit: string;
  credit: string;
  token: string;
  /** In the token's smallest unit, above zero. */
  amount: Amount;
};

export const ENTRY_KINDS = [
  'account.opened',
  'account.activated',
  'account.blocked',
  'account.unblocked',
  'account.closed',
  'transfer',
  'hold.created',
  'hold.posted',
  'hold.voided',
  'hold.expired',
  'deposit.seen',
  'deposit.approved',
  'deposit.rejected',
  'withdrawal.created',
  'withdrawal.processing',
  'withdrawal.completed',
  'withdrawal.failed',
] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

/** An entry that is not judged yet. */
export type Proposal = {
  /** Unique in the journal: the idempotency key of the thing that happened. Two outcomes that exclude each other share one id. */
  id: string;
  kind: EntryKind;
  /** Account whose state the entry is about. All accounts of its transfers live in this account's shard. */
  accountId: string;
  /** Hash of what the caller asked for: tells a repeat from another request under the same id. */
  inputHash: string;
  transfers: readonly Transfer[];
  /** Facts for the projections. Strings only, so that there is one way to encode them. */
  data: Readonly<Record<string, string>>;
};

/** A set of linked transfers that happened together; also what happened without moving money. */
export type Entry = Proposal & {
  /** Booked balances (`booked.ts`) after the entry, one per account and token in the order of `touchedBy`. */
  booked: readonly Amount[];
};

/** What the journal knows of an entry id. */
export type KnownEntry = { n: number; kind: EntryKind; inputHash: string };

type Line = [
  id: string,
  kind: EntryKind,
  accountId: string,
  inputHash: string,
  transfers: [debit: string, credit: string, token: string, amount: string][],
  booked: string[],
  data: [key: string, value: string][],
];

/** One text per content: arrays in place of objects, data sorted by key, amounts in decimal. Holds no line feed. */
export const encodeEntry = ({ id, kind, accountId, inputHash, transfers, booked, data }: Entry): string =>
  JSON.stringify([
    id,
    kind,
    accountId,
    inputHash,
    transfers.map(({ debit, credit, token, amount }) => [debit, credit, token, amount.toString()]),
    booked.map(String),
    Object.entries(data).sort(([a], [b]) => (a < b ? -1 : 1)),
  ] satisfies Line);

/** @throws Error unless the text is what `encodeEntry` makes */
export const decodeEntry = (line: string): Entry => {
  const [id, kind, accountId, inputHash, transfers, booked, data] = JSON.parse(line) as Line;
  if (!ENTRY_KINDS.includes(kind)) throw new Error('unknown kind of entry');
  return {
    id,
    kind,
    accountId,
    inputHash,
    transfers: transfers.map(([debit, credit, token, amount]) => ({ debit, credit, token, amount: BigInt(amount) })),
    booked: booked.map(BigInt),
    data: Object.fromEntries(data),
  };
};
