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
  'hold.increased',
  'hold.decreased',
  'hold.extended',
  'hold.posted',
  'hold.voided',
  'hold.expired',
  'deposit.seen',
  'deposit.approved',
  'deposit.rejected',
  'deposit.reversed',
  'withdrawal.created',
  'withdrawal.processing',
  'withdrawal.completed',
  'withdrawal.failed',
  'reversal',
] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

/** An entry that is not judged yet. Its transfers are what was ordered; what debt adds to them follows (`settle-debt.ts`). */
export type Proposal = {
  /** Unique in the shard: the idempotency key of the thing that happened. Two outcomes that exclude each other share one id. */
  id: string;
  kind: EntryKind;
  /**
   * Account whose state the entry is about. All accounts of its transfers live in this account's shard. Empty for a system entry, whose
   * transfers are all between system accounts.
   */
  accountId: string;
  /**
   * Hash of what the caller asked for: tells a repeat from another request under the same id. Empty when the transfers are exactly what was
   * ordered, without options (`known-entry.ts`).
   */
  inputHash: string;
  transfers: readonly Transfer[];
  /**
   * Facts about the entry: for the projections, of its hold (`hold-parts.ts`), its metadata (`metadata.ts`), and `forced`. Strings only, so
   * that there is one way to encode them.
   */
  data: Readonly<Record<string, string>>;
};

/** A set of linked transfers that happened together, or a change that moved no money. */
export type Entry = Proposal & {
  /** Booked balances (`bookedBalance`) after the entry, one per account and token in the order of `touchedBy`. */
  booked: readonly Amount[];
};

/** Reports whether an entry is written regardless of the balances and states of its accounts. */
export const isForced = ({ data }: Pick<Proposal, 'data'>): boolean => data['forced'] === '1';

/** Reports whether an entry moves money to the Safe of the account's successor: admitted although the account is blocked, if it is covered. */
export const isToSuccessor = ({ data }: Pick<Proposal, 'data'>): boolean => data['toSuccessor'] === '1';

/** The fact that makes an entry forced. */
export const forcedFact = (forced: boolean): { forced?: '1' } => (forced ? { forced: '1' } : {});

/** The journal's knowledge of an entry id. */
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
export const encodeEntry = (entry: Entry): string => encodePlain(entry) ?? encodeAny(entry);

const encodeAny = ({ id, kind, accountId, inputHash, transfers, booked, data }: Entry): string =>
  JSON.stringify([
    id,
    kind,
    accountId,
    inputHash,
    transfers.map(({ debit, credit, token, amount }) => [debit, credit, token, amount.toString()]),
    booked.map(String),
    Object.entries(data).sort(([a], [b]) => (a < b ? -1 : 1)),
  ] satisfies Line);

/** Texts that JSON writes as they are. */
const PLAIN = /^[ !#-[\]-~]*$/;

/** The same text as `encodeAny` makes of the most frequent kind of entry: one transfer, no facts. Undefined for all others. */
const encodePlain = ({ id, kind, accountId, inputHash, transfers, booked, data }: Entry): string | undefined => {
  const [transfer] = transfers;
  if (transfers.length !== 1 || transfer === undefined || kind !== 'transfer') return undefined;
  for (const _key in data) return undefined;
  const { debit, credit, token, amount } = transfer;
  const isOwner = debit.startsWith(accountId) || credit.startsWith(accountId) || PLAIN.test(accountId);
  // One by one: to join them first would cost as much as the rest of it.
  if (!isOwner || !PLAIN.test(id) || !PLAIN.test(inputHash) || !PLAIN.test(debit) || !PLAIN.test(credit) || !PLAIN.test(token))
    return undefined;
  const after = booked.length === 2 ? `"${booked[0]}","${booked[1]}"` : booked.map((balance) => `"${balance}"`).join(',');
  return `["${id}","transfer","${accountId}","${inputHash}",[["${debit}","${credit}","${token}","${amount}"]],[${after}],[]]`;
};

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
