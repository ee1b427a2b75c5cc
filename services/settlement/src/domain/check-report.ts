import { createHash } from 'node:crypto';
import type { Amount } from '@florin/rpc/money';
import { isSignedBy, keyId } from '@florin/rpc/signing-key';
import { type Balance, Balances, balanceIn, type Close, DayRecords, isValidClose, sumsOf } from './block.ts';
import { BEFORE, explainedBy, type Item, orderOf } from './item.ts';
import { parse } from './record.ts';
import {
  type Compared,
  comparedOf,
  fromRows,
  IN_BOOKS,
  isEarlier,
  isOverdue,
  isShort,
  type Proofs,
  publicKeyOf,
  REPORT_FORMAT,
  reportText,
  SINCE,
  safeLine,
  toRows,
  totalLine,
} from './report.ts';

/** The content of a report that was checked. */
export type CheckedReport = {
  day: string;
  previousDay: string;
  madeAt: string;
  /** Thumbprints of the keys of the close and of the report. */
  closeKey: string;
  key: string;
  /** SHA-256 of the lines that the report's signature covers, hexadecimal. */
  digest: string;
  records: number;
  balances: Close['balances'];
  /** The change of the days. */
  changes: Close['balances'];
  /** Number of accounts that were compared, and all differences up to a bound. */
  accounts: number;
  safes: number;
  /** Items that differ, and may still be on their way. */
  items: number;
  /** The time since which items may be on their way; undefined in reports without items. */
  overdue: string | undefined;
  /** Spent before the first clearing, in the minor unit. */
  before: { currency: string; amount: Amount }[];
  /** Number of Safes that have become short after the earlier proof. */
  returning: number;
  /** Held by Safes beyond what is owed to their accounts, by token. */
  surplus: { token: string; amount: Amount }[];
  /** The proofs that it names. */
  reserves: string[];
  /** The totals that it compares. */
  totals: Compared[];
  differences: string[];
  moreDifferences: number;
};

const MAX_DIFFERENCES = 1000;
const MAX_LINE = 1024 * 1024;

/** The longest that items may be on their way: SETTLEMENT_MATCH_HOURS and SETTLEMENT_OPEN_DAYS at most. */
const MAX_OPEN_MS = (30 + 365) * 86_400_000;

/** By how much clocks of services may differ. */
const SKEW_MS = 3_600_000;

/**
 * Checks a report offline: every byte of it is signed; the records are those of the signed close, and change the books to its balances; and no difference is missing among
 * those that follow from the lines. Which key signed, its reader compares.
 * @param proofs the proofs of reserves that the report names, to compare Safes and totals with them
 * @throws Error with what is wrong
 */
export const checkReport = async (lines: AsyncIterable<string>, proofs?: Proofs): Promise<CheckedReport> => {
  const hash = createHash('sha256');
  const [found, changes] = [new DayRecords(), new Balances()];
  const settled = new Map<string, Amount>();
  const stated = new Map<string, Amount>();
  const converted = new Map<string, Amount>();
  const surplus = new Map<string, Amount>();
  const add = (sums: Map<string, Amount>, currency: string, amount: string): void =>
    void sums.set(currency, (sums.get(currency) ?? 0n) + BigInt(amount));
  let header: string[] | undefined;
  let close: readonly unknown[] | undefined;
  let opening: Balance[] | undefined;
  let signature: string[] | undefined;
  let [accounts, safes, returning, differenceCount] = [0, 0, 0, 0];
  /** The proofs that are named, with the number of their Safes. */
  const reserves: { name: readonly unknown[]; earlier?: readonly unknown[]; safes: number }[] = [];
  const unproven: unknown[] = [];
  const totals: unknown[][] = [];
  const items: Pick<Item, 'id' | 'currency' | 'ledger' | 'books'>[] = [];
  let overdue: Date | undefined;
  const differences: string[] = [];
  /** The difference that must come next. */
  let expected: string | undefined;

  const fail = (problem: string): never => {
    throw new Error(problem);
  };
  const timeOf = (text: unknown): Date => {
    const time = new Date(String(text));
    return !Number.isNaN(time.getTime()) && time.toISOString() === text ? time : fail('a time is not in its spelling');
  };
  const differ = (parts: readonly unknown[]): void => {
    expected = JSON.stringify(['difference', ...parts]);
  };

  for await (const line of lines) {
    if (line.length > MAX_LINE) fail('a line is too long');
    if (signature !== undefined) fail('the report goes on after its signature');
    const parts = JSON.parse(line) as unknown[];
    if (!Array.isArray(parts) || JSON.stringify(parts) !== line) fail('a line is not in the format of a report');
    const [kind, ...more] = parts;
    const texts = more as string[];
    if (kind === 'signature') {
      signature = texts;
      continue;
    }
    hash.update(`${line}\n`);
    if (close !== undefined) fail('the report goes on after its close');
    if (expected !== undefined && line !== expected) fail(`the difference ${expected} is missing`);
    if (kind === 'difference') {
      differenceCount += 1;
      if (differences.length < MAX_DIFFERENCES) differences.push(line);
      const [name = '', , currency = '', amount = ''] = texts;
      if (name === 'unmatched') add(stated, currency, amount);
      else if (name !== 'amount' && expected === undefined) fail('a difference is stated that is none');
    }
    expected = undefined;
    if (header === undefined) {
      if (kind !== REPORT_FORMAT) fail('the file is not a report of settlement');
      header = texts;
    } else if (kind === 'record') {
      const [day = ''] = texts;
      const text = JSON.stringify(more[1]);
      const record = parse(text);
      if (day <= String(header[1]) || day > String(header[0])) fail(`the record ${record.source}:${record.id} is on another day`);
      found.add({ day, line: text });
      for (const sum of sumsOf([{ day, record }])) changes.add(sum);
      if (record.kind === 'clearing') add(settled, record.currency, String(record.amount));
    } else if (kind === 'conversion') {
      const [, currency = '', amount = '', billed = ''] = texts;
      add(converted, currency, String(BigInt(billed) - BigInt(amount)));
    } else if (kind === 'account') {
      const [, currency = '', network = '', billingCurrency = '', ledger = '', own = '0'] = texts;
      accounts += 1;
      add(stated, currency, network);
      add(converted, currency, String(-BigInt(own)));
      if (currency === billingCurrency && BigInt(network) + BigInt(own) !== BigInt(ledger)) differ(parts);
    } else if (kind === 'safe') {
      const [, token = '', held = '', owed = '', since] = texts;
      const amounts = { held: BigInt(held), owed: BigInt(owed) };
      if (amounts.held > amounts.owed) add(surplus, token, String(amounts.held - amounts.owed));
      const last = reserves.at(-1) ?? fail('a Safe is of no proof of reserves');
      const proof = proofs?.list[reserves.length - 1];
      const own = proof?.accounts[last.safes];
      if (proof !== undefined && (own === undefined || JSON.stringify(safeLine(own, proof)) !== line))
        fail(`the Safe of account ${texts[0]} is not as the proofs of reserves have it`);
      if (since !== undefined && (since !== SINCE || last.earlier === undefined || !isShort(amounts)))
        fail('a Safe is stated to be short that is not');
      safes += 1;
      last.safes += 1;
      if (since === SINCE) returning += 1;
      else if (isShort(amounts)) differ(parts);
    } else if (kind === 'total') {
      totals.push(parts);
      const [, , books = '', other = '', explained = '0'] = texts;
      if (BigInt(books) + BigInt(explained) !== BigInt(other)) differ(more);
    } else if (kind === 'items') {
      if (overdue !== undefined) fail('items are there twice');
      overdue = timeOf(more[0]);
    } else if (kind === 'item') {
      const [id = '', currency = '', ledger = '', books = '', since = ''] = texts;
      const item = { id, currency, ledger: BigInt(ledger), books: BigInt(books) };
      const last = items.at(-1);
      if (overdue === undefined || (last !== undefined && orderOf(last) >= orderOf(item))) return fail('an item is not in its order');
      items.push(item);
      const time = timeOf(since);
      if (id === BEFORE && item.books !== 0n) fail('a record is among what was spent before the first one');
      if (id !== BEFORE && time.getTime() > timeOf(header[2]).getTime() + SKEW_MS) fail(`the item ${id} is newer than the report`);
      if (isOverdue(id, time, overdue)) differ(parts);
    } else if (kind === 'opening') opening = fromRows(more[0]);
    else if (kind === 'reserves') {
      if (Number(reserves.at(-1)?.name[0] ?? 0) >= Number(more[0]))
        fail('the proofs of reserves are not those of one chain each, in their order');
      reserves.push({ name: more, safes: 0 });
    } else if (kind === 'earlier') {
      const last = reserves.at(-1);
      if (last === undefined || last.safes > 0 || !isEarlier(String(more[3]), String(last.name[3])))
        return fail('the earlier proof of reserves is not of a day before the other');
      last.earlier = more;
    } else if (kind === 'unproven') {
      unproven.push(more[0]);
      differ(parts);
    } else if (kind === 'close') close = more;
    else if (kind !== 'difference') fail('a line is not in the format of a report');
  }
  if (header === undefined || close === undefined || signature === undefined) return fail('the report is not complete');
  const [day = '', previousDay = '', madeAt = ''] = header;
  const [n, at, previousHash, records, recordsHash, rows, x, text] = close;
  const balances = fromRows(rows);
  const closeKey = publicKeyOf(String(x));
  const closed: Close = {
    ...{ day, previousDay, records: Number(records), recordsHash: String(recordsHash), balances, key: closeKey, signature: String(text) },
  };
  if (!isValidClose(closed, { n: Number(n), at: new Date(String(at)), previousHash: String(previousHash) }))
    fail('the signature does not fit the close');
  if (JSON.stringify(found.state()) !== JSON.stringify({ records: closed.records, recordsHash: closed.recordsHash }))
    fail('the records are not those of the close');
  const [key = '', own = '', signed = ''] = signature;
  if (keyId(publicKeyOf(own)) !== key) fail('the public key is not the one that the signature names');
  const digest = hash.digest('hex');
  if (!isSignedBy(publicKeyOf(own), reportText(digest), signed)) fail('the signature does not fit the report');
  // Reports of earlier releases do not have the balances before.
  if (opening !== undefined || previousDay === '') {
    const after = new Balances(opening);
    for (const change of changes.list()) after.add(change);
    if (JSON.stringify(toRows(after.list())) !== JSON.stringify(toRows(balances))) fail('the records do not lead to the balances');
  }
  for (const [currency, rest] of converted) if (rest !== 0n) fail(`the accounts do not add up to the conversions in ${currency}`);
  for (const currency of new Set([...settled.keys(), ...stated.keys()]))
    if ((settled.get(currency) ?? 0n) !== (stated.get(currency) ?? 0n)) fail(`the accounts do not add up to the clearings in ${currency}`);
  const times = proofs?.list.map(({ at }) => at) ?? reserves.map(({ name }) => name[3]);
  const comparedAt = new Date(Math.max(...(times.length === 0 ? [madeAt] : times).map((time) => timeOf(time).getTime())));
  if (overdue !== undefined && overdue.getTime() < comparedAt.getTime() - MAX_OPEN_MS) fail('items may be on their way for too long');
  const explained = explainedBy(items);
  for (const [, name, currency, books, , own = '0'] of totals) {
    if (String(explained.get(`${String(name)} ${String(currency)}`) ?? 0n) !== own) fail('the items do not add up to what they explain');
    const account = IN_BOOKS[name === 'treasury' ? name : 'uncollected'];
    if (String(balanceIn(balances, account, String(currency))) !== books) fail(`the total ${String(name)} is not the balance of the close`);
  }
  if (proofs !== undefined) {
    if (reserves.length !== proofs.list.length) fail('the proofs of reserves are not those that the report names');
    for (const [index, { hash: own, earlier, accounts: all }] of proofs.list.entries()) {
      const named = reserves[index];
      if (named?.name[4] !== own) fail('the proof of reserves is not the one that the report names');
      if (named?.earlier?.[4] !== earlier?.name.hash) fail('the earlier proof of reserves is not the one that the report names');
      if (all.length !== named?.safes) fail('the Safes are not those of the proof of reserves');
    }
    if (JSON.stringify(unproven) !== JSON.stringify(proofs.unproven))
      fail('the chains without a proof of reserves are not those that the report names');
    const compared = comparedOf(balances, proofs, explained).map(totalLine);
    if (JSON.stringify(compared) !== JSON.stringify(totals)) fail('the totals are not those of the proofs of reserves');
  }
  return {
    ...{
      day,
      previousDay,
      madeAt,
      closeKey: keyId(closeKey),
      key,
      digest,
      records: closed.records,
      balances,
      changes: changes.list(),
      accounts,
      safes,
      items: items.length,
      overdue: overdue?.toISOString(),
      before: items.filter(({ id }) => id === BEFORE).map(({ currency, ledger }) => ({ currency, amount: ledger })),
      returning,
      surplus: [...surplus].map(([token, amount]) => ({ token, amount })),
    },
    reserves: reserves.map(({ name: [chainId, block, , time] }) => `block ${String(block)} of chain ${String(chainId)} at ${String(time)}`),
    totals: totals.map(
      ([, name, currency, books, other, own = '0']): Compared => ({
        ...{ name: name as Compared['name'], currency: String(currency) },
        ...{ books: BigInt(String(books)), other: BigInt(String(other)), items: BigInt(String(own)) },
      }),
    ),
    ...{ differences, moreDifferences: differenceCount - differences.length },
  };
};
