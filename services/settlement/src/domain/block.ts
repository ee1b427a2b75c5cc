import { createHash, hash } from 'node:crypto';
import type { Amount } from '@florin/rpc/money';
import { isSignedBy, type PublicKey, type SigningKey } from '@florin/rpc/signing-key';
import { dayAfter, keyOf, legsOf, type SettlementRecord, spell } from './record.ts';

/**
 * The journal of settlement: an append-only chain of blocks. A block has records, each with the day that it is booked on, or it closes days. Closes and imports race
 * for the next number, so a record is before a close, on a day that the close covers or a later one; or after it, on an open day.
 */
export type Block = {
  /** From 1. */
  n: number;
  at: Date;
  /** Hash of the block before; empty in the first one. */
  previousHash: string;
  /** Covers this block and all before. */
  hash: string;
  /** The last closed day after this block; empty while none is. */
  closedDay: string;
  records: readonly BookedRecord[];
  /** Present in a block that closes days. */
  close?: Close;
};

/** A record on its day. `line` is its spelling. */
export type BookedRecord = { key: string; day: string; line: string };

/** The balance of an account in one currency; a debit is positive. */
export type Balance = { account: string; currency: string; amount: Amount };

/** A signed statement of the books at the end of a day. */
export type Close = {
  day: string;
  /** The last day that was closed before; empty for the first close. */
  previousDay: string;
  /** Number of records on the closed days, and SHA-256 of their lines (`recordLine`). */
  records: number;
  recordsHash: string;
  balances: readonly Balance[];
  key: PublicKey;
  signature: string;
};

/** The end of the journal. */
export type Head = Pick<Block, 'n' | 'hash' | 'closedDay'>;

export const EMPTY: Head = { n: 0, hash: '', closedDay: '' };

/** The line of a record in a report, which the close's hash covers. */
export const recordLine = ({ day, line }: Pick<BookedRecord, 'day' | 'line'>): string => `["record",${JSON.stringify(day)},${line}]\n`;

/** Adds amounts up by account and currency. */
export class Balances {
  readonly #amounts = new Map<string, Balance>();

  constructor(balances: readonly Balance[] = []) {
    for (const balance of balances) this.add(balance);
  }

  add({ account, currency, amount }: Balance): void {
    const key = `${account} ${currency}`;
    const sum = (this.#amounts.get(key)?.amount ?? 0n) + amount;
    if (sum === 0n) this.#amounts.delete(key);
    else this.#amounts.set(key, { account, currency, amount: sum });
  }

  /** By account and currency, without zeros. */
  list(): Balance[] {
    const order = ({ account, currency }: Balance) => `${account} ${currency}`;
    return [...this.#amounts.values()].toSorted((a, b) => (order(a) < order(b) ? -1 : 1));
  }
}

/** The balance of an account in a currency. */
export const balanceIn = (balances: readonly Balance[], account: Balance['account'], currency: string): Amount =>
  balances.find((one) => one.account === account && one.currency === currency)?.amount ?? 0n;

/** The currencies in which balances do not add up to zero. Never any, unless the books are broken. */
export const unbalanced = (balances: readonly Balance[]): string[] => {
  const sums = new Map<string, Amount>();
  for (const { currency, amount } of balances) sums.set(currency, (sums.get(currency) ?? 0n) + amount);
  return [...sums].filter(([, sum]) => sum !== 0n).map(([currency]) => currency);
};

/** The changes that records make, by day. */
export const sumsOf = (records: readonly { day: string; record: SettlementRecord }[]): (Balance & { day: string })[] =>
  [...Map.groupBy(records, ({ day }) => day)].flatMap(([day, ofDay]) => {
    const sums = new Balances();
    for (const { record } of ofDay) for (const leg of legsOf(record)) sums.add({ ...leg, currency: record.currency });
    return sums.list().map((sum) => ({ day, ...sum }));
  });

const hashOf = ({ n, at, previousHash, closedDay, records, close }: Omit<Block, 'hash'>): string =>
  hash(
    'sha256',
    JSON.stringify([
      'florin-settlement-block-1',
      ...[n, at.toISOString(), previousHash, closedDay],
      records.map(({ day, line }) => [day, line]),
      close?.signature ?? '',
    ]),
  );

const following = ({ n, hash: previousHash }: Head, content: Pick<Block, 'at' | 'closedDay' | 'records' | 'close'>): Block => {
  const block = { n: n + 1, previousHash, ...content };
  return { ...block, hash: hashOf(block) };
};

/** The outcome of a record. `day`: the one on which the record of this key is booked. */
export type Outcome = { outcome: 'booked' | 'existing' | 'conflicting'; day: string };

/**
 * Decides what is new, and on which day it is booked: its own, or the first open one.
 * @param known what is booked under the keys of the records, in all blocks up to the head
 * @returns the next block, undefined if nothing is new, and one outcome for each record, in their order
 */
export const judge = (
  head: Head,
  records: readonly SettlementRecord[],
  known: ReadonlyMap<string, BookedRecord>,
  at: Date,
): { block: Block | undefined; outcomes: Outcome[] } => {
  const booked = new Map(known);
  const fresh: BookedRecord[] = [];
  const outcomes = records.map((record): Outcome => {
    const [key, line] = [keyOf(record), spell(record)];
    const standing = booked.get(key);
    if (standing !== undefined) return { outcome: standing.line === line ? 'existing' : 'conflicting', day: standing.day };
    const day = record.date > head.closedDay ? record.date : dayAfter(head.closedDay, 1);
    const one = { key, day, line };
    booked.set(key, one);
    fresh.push(one);
    return { outcome: 'booked', day };
  });
  const block = fresh.length === 0 ? undefined : following(head, { at, closedDay: head.closedDay, records: fresh });
  return { block, outcomes };
};

type Closing = Pick<Close, 'day' | 'previousDay' | 'records' | 'recordsHash' | 'balances'> & Pick<Block, 'n' | 'at' | 'previousHash'>;

/** The signed text of a close. The leading word is the version of this encoding; it also keeps the signature from meaning anything else. */
const closeText = ({ day, previousDay, at, n, previousHash, records, recordsHash, balances }: Closing): string =>
  JSON.stringify([
    'florin-settlement-day-1',
    ...[day, previousDay, at.toISOString(), n, previousHash, records, recordsHash],
    balances.map(({ account, currency, amount }) => [account, currency, String(amount)]),
  ]);

/** The block that closes all days up to one. @throws Error unless the balances add up to zero */
export const closingBlock = (
  head: Head,
  stated: Pick<Close, 'day' | 'records' | 'recordsHash' | 'balances'>,
  key: SigningKey,
  at: Date,
): Block => {
  const broken = unbalanced(stated.balances);
  if (broken.length > 0) throw new Error(`the books do not add up to zero in ${broken.join(', ')}`);
  const content = { ...stated, previousDay: head.closedDay };
  const signature = key.sign(closeText({ ...content, at, n: head.n + 1, previousHash: head.hash }));
  return following(head, { at, closedDay: stated.day, records: [], close: { ...content, key: key.publicKey, signature } });
};

/** Reports whether a close is signed by the key that it names, and balances add up to zero. Whose key it is, its reader compares. */
export const isValidClose = (
  { key, signature, ...stated }: Close,
  { n, at, previousHash }: Pick<Block, 'n' | 'at' | 'previousHash'>,
): boolean => unbalanced(stated.balances).length === 0 && isSignedBy(key, closeText({ ...stated, n, at, previousHash }), signature);

/** Hashes and counts the records of days, in their order, and adds up what they change. */
export class DayRecords {
  readonly #hash = createHash('sha256');
  #count = 0;

  add(record: Pick<BookedRecord, 'day' | 'line'>): void {
    this.#hash.update(recordLine(record));
    this.#count += 1;
  }

  state(): Pick<Close, 'records' | 'recordsHash'> {
    return { records: this.#count, recordsHash: this.#hash.copy().digest('hex') };
  }
}
