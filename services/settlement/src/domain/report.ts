import { createHash } from 'node:crypto';
import type { Amount } from '@florin/rpc/money';
import { isSignedBy, keyId, type PublicKey, type SigningKey } from '@florin/rpc/signing-key';
import { Balances, type Block, type Close, DayRecords, isValidClose, recordLine, sumsOf } from './block.ts';
import { parse, type SettlementRecord } from './record.ts';

/**
 * A report of closed days is a file of lines, each JSON in its one spelling:
 *
 *     ["florin-settlement-report-1", day, previousDay, madeAt]
 *     ["record", day, record]                                          every record on the days, as the close's hash covers them
 *     ["difference", "unmatched", key, currency, amount, exceptionId]  right after its record: no report of the clearing is known
 *     ["difference", "amount", key, currency, amount, billingCurrency, billed, exceptionId]   another amount was billed
 *     ["account", accountId, currency, network, billingCurrency, ledger]      what the network settled and what the ledger booked for it
 *     ["reserves", chainId, block, blockHash, at, sha256]              the proof of reserves that the rest compares with
 *     ["safe", accountId, token, held, owed]                           what the account's Safe holds, and what is owed to it
 *     ["total", name, currency, books, other]                          `uncollected`: `receivable` and the ledger; `treasury`: the books and the chain
 *     ["difference", "account" | "safe" | "uncollected" | "treasury", …]      for each of these whose two amounts differ, the same after its name
 *     ["close", n, at, previousHash, records, recordsHash, [[account, currency, amount], …], x, signature]
 *     ["signature", key, x, signature]                                 over all lines before
 *
 * A Safe differs only if it holds less than is owed: what was spent and not collected is there as well. Amounts of Safes are in the token's smallest unit, all others in
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
export type Compared = { name: 'uncollected' | 'treasury'; currency: string; books: Amount; other: Amount };

/** The amounts of one token that the Safe of an account held, and that the ledger owed to the account. In the token's smallest unit. */
export type AccountReserves = { accountId: string; token: string; held: Amount; owed: Amount };

/** A proof of reserves: ledger and chain at one time. */
export type Reserves = {
  chainId: number;
  block: number;
  blockHash: string;
  at: string;
  /** SHA-256 of the file, by which a report names it. */
  hash: string;
  /** By account and token. */
  accounts: readonly AccountReserves[];
  /** By currency, in its minor unit: what cards have spent and was not collected from Safes, as the ledger says. */
  uncollected: ReadonlyMap<string, Amount>;
  /** By currency, in its minor unit: what the treasuries hold on the chain. */
  treasury: ReadonlyMap<string, Amount>;
};

type AccountSums = { accountId: string; currency: string; network: Amount; billingCurrency: string; ledger: Amount };

/** The lines that compare a clearing with its report. */
const differencesOf = (key: string, { currency, amount }: SettlementRecord, { found, exceptionId = '' }: Found): unknown[][] => {
  if (found === undefined) return [['difference', 'unmatched', key, currency, String(amount), exceptionId]];
  const { billingCurrency, billedAmount } = found;
  // In another currency, the card service has compared them.
  if (exceptionId === '' && (billingCurrency !== currency || billedAmount === String(amount))) return [];
  return [['difference', 'amount', key, currency, String(amount), billingCurrency, billedAmount, exceptionId]];
};

/** The totals that are compared, of every currency that one side knows. */
const comparedOf = (balances: Close['balances'], { uncollected, treasury }: Reserves): Compared[] => {
  const inBooks = (account: string, currency: string): Amount =>
    balances.find((balance) => balance.account === account && balance.currency === currency)?.amount ?? 0n;
  const currencies = [...new Set([...uncollected.keys(), ...treasury.keys(), ...balances.map(({ currency }) => currency)])].sort();
  return currencies.flatMap((currency): Compared[] => [
    { name: 'uncollected', currency, books: inBooks('receivable', currency), other: uncollected.get(currency) ?? 0n },
    { name: 'treasury', currency, books: inBooks('treasury', currency), other: treasury.get(currency) ?? 0n },
  ]);
};

const safeLine = ({ accountId, token, held, owed }: AccountReserves): unknown[] => ['safe', accountId, token, String(held), String(owed)];

/** The lines after the records: account by account, and in total. */
const comparisons = function* (accounts: Iterable<AccountSums>, close: Close, proof: Reserves | undefined): Generator<unknown[]> {
  const order = ({ accountId, currency, billingCurrency }: AccountSums): string => `${accountId} ${currency} ${billingCurrency}`;
  for (const { accountId, currency, network, billingCurrency, ledger } of [...accounts].toSorted((a, b) =>
    order(a) < order(b) ? -1 : 1,
  )) {
    const line = ['account', accountId, currency, String(network), billingCurrency, String(ledger)];
    yield line;
    if (currency === billingCurrency && network !== ledger) yield ['difference', ...line];
  }
  if (proof === undefined) return;
  const { chainId, block, blockHash, at, hash } = proof;
  yield ['reserves', chainId, block, blockHash, at, hash];
  for (const account of proof.accounts) {
    yield safeLine(account);
    if (account.held < account.owed) yield ['difference', ...safeLine(account)];
  }
  for (const { name, currency, books, other } of comparedOf(close.balances, proof)) {
    yield ['total', name, currency, String(books), String(other)];
    if (books !== other) yield ['difference', name, currency, String(books), String(other)];
  }
};

/** Adds clearings up by account. */
class Accounts {
  readonly #sums = new Map<string, AccountSums>();

  add({ currency, amount }: SettlementRecord, { found }: Found): void {
    if (found === undefined) return;
    const { accountId, billingCurrency, billedAmount } = found;
    const key = `${accountId} ${currency} ${billingCurrency}`;
    const { network, ledger } = this.#sums.get(key) ?? { network: 0n, ledger: 0n };
    this.#sums.set(key, { accountId, currency, billingCurrency, network: network + amount, ledger: ledger + BigInt(billedAmount) });
  }

  values(): Iterable<AccountSums> {
    return this.#sums.values();
  }
}

const closeLine = (close: Close, { n, at, previousHash }: Pick<Block, 'n' | 'at' | 'previousHash'>): unknown[] => {
  const balances = close.balances.map(({ account, currency, amount }) => [account, currency, String(amount)]);
  return ['close', n, at.toISOString(), previousHash, close.records, close.recordsHash, balances, close.key.x, close.signature];
};

const publicKeyOf = (x: string): PublicKey => ({ kty: 'OKP', crv: 'Ed25519', x });

/**
 * Writes a report line by line. Memory grows with the accounts of the days and of the proof of reserves, not with the records.
 * @param records the records on the days in the order of the journal, some at a time, each with what is known of it if it is a clearing
 * @param proof what ledger and chain say; undefined: the report compares with the card service only
 */
export const reportLines = async function* (
  block: Pick<Block, 'n' | 'at' | 'previousHash'> & { close: Close },
  records: AsyncIterable<readonly { key: string; day: string; line: string; match: Found }[]>,
  proof: Reserves | undefined,
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
      for (const difference of differencesOf(name, record, match)) text += spell(difference);
    }
    yield end(text);
  }
  for (const line of comparisons(accounts.values(), close, proof)) yield end(spell(line));
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
  records: number;
  balances: Close['balances'];
  /** The change of the days. */
  changes: Close['balances'];
  /** Number of accounts that were compared, and all differences up to a bound. */
  accounts: number;
  safes: number;
  reserves: string | undefined;
  differences: string[];
  moreDifferences: number;
};

const MAX_DIFFERENCES = 1000;
const MAX_LINE = 1024 * 1024;

/**
 * Checks a report offline: every byte of it is signed; the records are those of the signed close, and change the books to its balances; and no difference is missing among
 * those that follow from the lines. Which key signed, its reader compares.
 * @param proof the proof of reserves that the report names, to compare Safes and totals with it
 * @throws Error with what is wrong
 */
export const checkReport = async (lines: AsyncIterable<string>, proof?: Reserves): Promise<CheckedReport> => {
  const hash = createHash('sha256');
  const [found, changes] = [new DayRecords(), new Balances()];
  const settled = new Map<string, Amount>();
  const stated = new Map<string, Amount>();
  const add = (sums: Map<string, Amount>, currency: string, amount: string): void =>
    void sums.set(currency, (sums.get(currency) ?? 0n) + BigInt(amount));
  let header: string[] | undefined;
  let close: readonly unknown[] | undefined;
  let signature: string[] | undefined;
  let [accounts, safes, differenceCount] = [0, 0, 0];
  let reserves: readonly unknown[] | undefined;
  const totals: unknown[][] = [];
  const differences: string[] = [];
  /** The difference that must come next. */
  let expected: string | undefined;

  const fail = (problem: string): never => {
    throw new Error(problem);
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
    } else if (kind === 'account') {
      const [, currency = '', network = '', billingCurrency = '', ledger = ''] = texts;
      accounts += 1;
      add(stated, currency, network);
      if (currency === billingCurrency && network !== ledger) differ(parts);
    } else if (kind === 'safe') {
      const [, , held = '', owed = ''] = texts;
      const own = proof?.accounts[safes];
      if (proof !== undefined && (own === undefined || JSON.stringify(safeLine(own)) !== line))
        fail(`the Safe of account ${texts[0]} is not as the proof of reserves has it`);
      safes += 1;
      if (BigInt(held) < BigInt(owed)) differ(parts);
    } else if (kind === 'total') {
      totals.push(parts);
      const [name, currency, books, other] = texts;
      if (books !== other) differ([name, currency, books, other]);
    } else if (kind === 'reserves') reserves = more;
    else if (kind === 'close') close = more;
    else if (kind !== 'difference') fail('a line is not in the format of a report');
  }
  if (header === undefined || close === undefined || signature === undefined) return fail('the report is not complete');
  const [day = '', previousDay = '', madeAt = ''] = header;
  const [n, at, previousHash, records, recordsHash, rows, x, text] = close;
  const balances = (rows as string[][]).map(([account = '', currency = '', amount = '']) => ({
    account,
    currency,
    amount: BigInt(amount),
  }));
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
  if (!isSignedBy(publicKeyOf(own), reportText(hash.digest('hex')), signed)) fail('the signature does not fit the report');
  for (const currency of new Set([...settled.keys(), ...stated.keys()]))
    if ((settled.get(currency) ?? 0n) !== (stated.get(currency) ?? 0n)) fail(`the accounts do not add up to the clearings in ${currency}`);
  for (const [, name, currency, books] of totals) {
    const account = name === 'treasury' ? 'treasury' : 'receivable';
    const balance = balances.find((one) => one.account === account && one.currency === currency)?.amount ?? 0n;
    if (String(balance) !== books) fail(`the total ${String(name)} is not the balance of the close`);
  }
  if (proof !== undefined) {
    if (reserves?.[4] !== proof.hash) fail('the proof of reserves is not the one that the report names');
    const compared = comparedOf(balances, proof).map(({ name, currency, books, other }) => [
      'total',
      name,
      currency,
      String(books),
      String(other),
    ]);
    if (JSON.stringify(compared) !== JSON.stringify(totals)) fail('the totals are not those of the proof of reserves');
    if (proof.accounts.length !== safes) fail('the Safes are not those of the proof of reserves');
  }
  return {
    ...{
      day,
      previousDay,
      madeAt,
      closeKey: keyId(closeKey),
      key,
      records: closed.records,
      balances,
      changes: changes.list(),
      accounts,
      safes,
    },
    reserves: reserves === undefined ? undefined : `block ${String(reserves[1])} of chain ${String(reserves[0])} at ${String(reserves[3])}`,
    ...{ differences, moreDifferences: differenceCount - differences.length },
  };
};
