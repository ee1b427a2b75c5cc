import { createHash } from 'node:crypto';
import type { Amount } from '@florin/rpc/money';
import { isSignedBy, keyId, type PublicKey, type SigningKey } from '@florin/rpc/signing-key';
import { type Balance, Balances, type Block, balanceIn, type Close, DayRecords, isValidClose, recordLine, sumsOf } from './block.ts';
import { BEFORE, explainedBy, type Item, orderOf } from './item.ts';
import { parse, type SettlementRecord } from './record.ts';

/**
 * A report of closed days is a file of lines, each JSON in its one spelling:
 *
 *     ["florin-settlement-report-1", day, previousDay, madeAt]
 *     ["record", day, record]                                          every record on the days, as the close's hash covers them
 *     ["conversion", key, currency, amount, billed]                   right after its record: the program has converted, and both amounts are right
 *     ["difference", "unmatched", key, currency, amount, exceptionId]  right after its record: no report of the clearing is known
 *     ["difference", "amount", key, currency, amount, billingCurrency, billed, exceptionId]   another amount was billed
 *     ["account", accountId, currency, network, billingCurrency, ledger, converted]      what the network settled and what the ledger booked for it, and if
 *                                                                      there are any, the conversions between them
 *     ["reserves", chainId, block, blockHash, at, sha256]              a proof of reserves, with the two that follow: of each chain, in the order of their ids
 *     ["earlier", chainId, block, blockHash, at, sha256]               an earlier proof, in which Safes that have been short since then were not
 *     ["safe", accountId, token, held, owed, "since"]                  what the account's Safe holds, and what is owed to it; `since` if it has become short after the earlier proof
 *     ["unproven", chainId]                                            a chain with tokens of which there is no proof, while there is one of another: after all of these
 *     ["items", time]                                                  what explains the totals: items whose newest part is before the time are differences
 *     ["item", id, currency, ledger, books, since]                    a payment of an account, a movement of the treasury or a record (`item.ts`) as the ledger has booked it,
 *                                                                      and as `receivable` has it
 *     ["total", name, currency, books, other, items]                   `uncollected`: `receivable` and the ledger; `treasury`: the books and the chain; and what
 *                                                                      items explain, unless that is nothing
 *     ["difference", "account" | "safe" | "unproven" | "item" | "uncollected" | "treasury", …]     for each of these whose amounts differ, the same after its name
 *     ["opening", [[account, currency, amount], …]]                   the balances before, unless it is the first close
 *     ["close", n, at, previousHash, records, recordsHash, [[account, currency, amount], …], x, signature]
 *     ["signature", key, x, signature]                                 over all lines before
 *
 * A Safe differs only if it holds less than is owed: rejected deposits, and fees that are not collected, are there as well. And not at once if there is an earlier proof,
 * because what was refunded is in the treasury until it is returned. Amounts of Safes are in the token's smallest unit, all others in
 * the currency's minor unit.
 */
const REPORT_FORMAT = 'florin-settlement-report-1';

const reportText = (linesHash: string): string => JSON.stringify([REPORT_FORMAT, linesHash]);

/** The report of a clearing that the card service has found, as far as a report of the day needs it. */
export type Found = {
  found?: { accountId: string; billedAmount: string; billingCurrency: string } | undefined;
  exceptionId?: string | undefined;
};

/** Two amounts that should be the same. */
export type Compared = {
  name: 'uncollected' | 'treasury';
  currency: string;
  books: Amount;
  other: Amount;
  /** The difference that items explain. */
  items: Amount;
};

/** Differences between the ledger and `receivable`. */
export type Items = {
  /** Sorted. */
  list: readonly Item[];
  /** Differences from before this time no longer count as on their way. */
  overdue: Date;
};

/** The amounts of one token that the Safe of an account held, and that the ledger owed to the account. In the token's smallest unit. */
export type AccountReserves = { accountId: string; token: string; held: Amount; owed: Amount };

const isShort = ({ held, owed }: Pick<AccountReserves, 'held' | 'owed'>): boolean => held < owed;

/** Names a proof of reserves in a report. */
export type ProofName = { chainId: number; block: number; blockHash: string; at: string /** SHA-256 of the file. */; hash: string };

/** A proof of reserves: ledger and chain at one time. */
export type Reserves = ProofName & {
  /** An earlier proof, and the accounts and tokens (`<accountId> <token>`) whose Safes held less than was owed then. */
  earlier?: { name: ProofName; short: ReadonlySet<string> } | undefined;
  /** The last block of each shard of the ledger that it states. */
  blocks: ReadonlyMap<string, number>;
  /** By account and token. */
  accounts: readonly AccountReserves[];
  /** By currency, in its minor unit: what cards have spent and was not collected from Safes, as the ledger says. */
  uncollected: ReadonlyMap<string, Amount>;
  /** By currency, in its minor unit: what the treasuries hold on the chain. */
  treasury: ReadonlyMap<string, Amount>;
};

/** The proofs that a report compares with. */
export type Proofs = {
  /** By the ids of their chains, each of another one; not empty. */
  list: readonly Reserves[];
  /** Other chains with tokens, sorted. */
  unproven: readonly number[];
};

type AccountSums = { accountId: string; currency: string; network: Amount; billingCurrency: string; ledger: Amount; converted: Amount };

const isAgreed = ({ found, exceptionId = '' }: Found): boolean => found !== undefined && exceptionId === '';

/** The lines that compare a clearing with its report. */
const comparisonOf = (key: string, { currency, amount }: SettlementRecord, match: Found): unknown[][] => {
  const { found, exceptionId = '' } = match;
  if (found === undefined) return [['difference', 'unmatched', key, currency, String(amount), exceptionId]];
  const { billingCurrency, billedAmount } = found;
  if (!isAgreed(match)) return [['difference', 'amount', key, currency, String(amount), billingCurrency, billedAmount, exceptionId]];
  // In another currency, the card service has compared them.
  return billingCurrency !== currency || billedAmount === String(amount)
    ? []
    : [['conversion', key, currency, String(amount), billedAmount]];
};

/** The account of the books that a total compares. */
const IN_BOOKS = { uncollected: 'receivable', treasury: 'treasury' } as const;

/** Adds up amounts by currency. */
const sumOf = (all: readonly ReadonlyMap<string, Amount>[]): Map<string, Amount> => {
  const sums = new Map<string, Amount>();
  for (const one of all) for (const [currency, amount] of one) sums.set(currency, (sums.get(currency) ?? 0n) + amount);
  return sums;
};

/** The totals that are compared, of every currency that one side knows. */
const comparedOf = (balances: Close['balances'], { list }: Proofs, explained: ReadonlyMap<string, Amount>): Compared[] => {
  const [uncollected, treasury] = [sumOf(list.map((proof) => proof.uncollected)), sumOf(list.map((proof) => proof.treasury))];
  const ofItems = [...explained.keys()].map((key) => key.split(' ')[1] ?? '');
  const currencies = [
    ...new Set([...uncollected.keys(), ...treasury.keys(), ...ofItems, ...balances.map(({ currency }) => currency)]),
  ].sort();
  const others = { uncollected, treasury };
  return currencies.flatMap((currency) =>
    (['uncollected', 'treasury'] as const).map(
      (name): Compared => ({
        ...{ name, currency, books: balanceIn(balances, IN_BOOKS[name], currency), other: others[name].get(currency) ?? 0n },
        items: explained.get(`${name} ${currency}`) ?? 0n,
      }),
    ),
  );
};

const totalLine = ({ name, currency, books, other, items }: Compared): unknown[] => [
  ...['total', name, currency, String(books), String(other)],
  ...(items === 0n ? [] : [String(items)]),
];

const itemLine = ({ id, currency, ledger, books, since }: Item): unknown[] => [
  ...['item', id, currency, String(ledger), String(books), since.toISOString()],
];

const isOverdue = (id: string, since: Date, overdue: Date): boolean => id !== BEFORE && since < overdue;

const nameOf = ({ chainId, block, blockHash, at, hash }: ProofName): unknown[] => [chainId, block, blockHash, at, hash];

/** Closest and farthest that an earlier proof is before the one of a report: what is refunded is returned within hours, and the report of the next day must not name it again. */
const [MIN_EARLIER_MS, MAX_EARLIER_MS] = [12 * 3_600_000, 30 * 3_600_000];

/** Returns true if two proofs are as far apart as they must be. */
export const isEarlier = (earlier: string, at: string): boolean => {
  const apart = Date.parse(at) - Date.parse(earlier);
  return apart >= MIN_EARLIER_MS && apart <= MAX_EARLIER_MS;
};

/** Those whose Safes hold less than is owed, as an earlier proof states them. */
export const shortOf = (accounts: readonly AccountReserves[]): ReadonlySet<string> =>
  new Set(accounts.filter(isShort).map(({ accountId, token }) => `${accountId} ${token}`));

/** Marks a Safe that is short and was not in the earlier proof. */
const SINCE = 'since';

const safeLine = (account: AccountReserves, { earlier }: Pick<Reserves, 'earlier'>): unknown[] => {
  const { accountId, token, held, owed } = account;
  const isNew = isShort(account) && earlier !== undefined && !earlier.short.has(`${accountId} ${token}`);
  return ['safe', accountId, token, String(held), String(owed), ...(isNew ? [SINCE] : [])];
};

/** The lines after the records: account by account, and in total. */
const comparisons = function* (
  accounts: Iterable<AccountSums>,
  close: Close,
  proofs: Proofs | undefined,
  { list, overdue }: Items,
): Generator<unknown[]> {
  const order = ({ accountId, currency, billingCurrency }: AccountSums): string => `${accountId} ${currency} ${billingCurrency}`;
  for (const sums of [...accounts].toSorted((a, b) => (order(a) < order(b) ? -1 : 1))) {
    const { accountId, currency, network, billingCurrency, ledger, converted } = sums;
    const line = ['account', accountId, currency, String(network), billingCurrency, String(ledger)];
    if (converted !== 0n) line.push(String(converted));
    yield line;
    if (currency === billingCurrency && network + converted !== ledger) yield ['difference', ...line];
  }
  yield ['items', overdue.toISOString()];
  for (const item of list) {
    yield itemLine(item);
    if (isOverdue(item.id, item.since, overdue)) yield ['difference', ...itemLine(item)];
  }
  if (proofs === undefined) return;
  for (const proof of proofs.list) {
    yield ['reserves', ...nameOf(proof)];
    if (proof.earlier !== undefined) yield ['earlier', ...nameOf(proof.earlier.name)];
    for (const account of proof.accounts) {
      const line = safeLine(account, proof);
      yield line;
      if (isShort(account) && line.at(-1) !== SINCE) yield ['difference', ...line];
    }
  }
  for (const chainId of proofs.unproven) {
    const line = ['unproven', chainId];
    yield line;
    yield ['difference', ...line];
  }
  for (const compared of comparedOf(close.balances, proofs, explainedBy(list))) {
    const [, ...line] = totalLine(compared);
    yield ['total', ...line];
    if (compared.books + compared.items !== compared.other) yield ['difference', ...line];
  }
};

/** Adds clearings up by account. */
class Accounts {
  readonly #sums = new Map<string, AccountSums>();

  add({ currency, amount }: SettlementRecord, match: Found): void {
    if (match.found === undefined) return;
    const { accountId, billingCurrency, billedAmount } = match.found;
    const billed = BigInt(billedAmount);
    const key = `${accountId} ${currency} ${billingCurrency}`;
    const sums = this.#sums.get(key) ?? { accountId, currency, billingCurrency, network: 0n, ledger: 0n, converted: 0n };
    const converted = isAgreed(match) && currency === billingCurrency ? billed - amount : 0n;
    this.#sums.set(key, { ...sums, network: sums.network + amount, ledger: sums.ledger + billed, converted: sums.converted + converted });
  }

  values(): Iterable<AccountSums> {
    return this.#sums.values();
  }
}

const toRows = (balances: Close['balances']): string[][] =>
  balances.map(({ account, currency, amount }) => [account, currency, String(amount)]);
const fromRows = (rows: unknown): Balance[] =>
  (rows as string[][]).map(([account = '', currency = '', amount = '']) => ({ account, currency, amount: BigInt(amount) }));

const closeLine = (close: Close, { n, at, previousHash }: Pick<Block, 'n' | 'at' | 'previousHash'>): unknown[] => [
  ...['close', n, at.toISOString(), previousHash, close.records, close.recordsHash, toRows(close.balances), close.key.x, close.signature],
];

const publicKeyOf = (x: string): PublicKey => ({ kty: 'OKP', crv: 'Ed25519', x });

/**
 * Writes a report line by line. Memory grows with the accounts of the days and of the proof of reserves, not with the records.
 * @param opening the balances before the days
 * @param records the records on the days in the order of the journal, some at a time, each with what is known of it if it is a clearing
 * @param proofs what ledger and chains say; undefined: the report has no Safes and totals
 */
export const reportLines = async function* (
  block: Pick<Block, 'n' | 'at' | 'previousHash'> & { close: Close },
  opening: Close['balances'],
  records: AsyncIterable<readonly { key: string; day: string; line: string; match: Found }[]>,
  proofs: Proofs | undefined,
  items: Items,
  key: SigningKey,
  madeAt: Date,
): AsyncGenerator<string> {
  const { close } = block;
  const hash = createHash('sha256');
  const end = (text: string): string => {
    hash.update(text);
    return text;
  };
  const spell = (line: readonly unknown[]): string => `${JSON.stringify(line)}\n`;
  yield end(spell([REPORT_FORMAT, close.day, close.previousDay, madeAt.toISOString()]));
  const accounts = new Accounts();
  for await (const some of records) {
    let text = '';
    for (const { key: name, day, line, match } of some) {
      text += recordLine({ day, line });
      const record = parse(line);
      if (record.kind !== 'clearing') continue;
      accounts.add(record, match);
      for (const compared of comparisonOf(name, record, match)) text += spell(compared);
    }
    yield end(text);
  }
  for (const line of comparisons(accounts.values(), close, proofs, items)) yield end(spell(line));
  if (close.previousDay !== '') yield end(spell(['opening', toRows(opening)]));
  yield end(spell(closeLine(close, block)));
  yield spell(['signature', key.id, key.publicKey.x, key.sign(reportText(hash.digest('hex')))]);
};

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
    ...{ differences, moreDifferences: differenceCount - differences.length },
  };
};
