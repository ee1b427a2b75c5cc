import { createHash } from 'node:crypto';
import type { Amount } from '@florin/rpc/money';
import type { PublicKey, SigningKey } from '@florin/rpc/signing-key';
import { type Balance, type Block, balanceIn, type Close, recordLine } from './block.ts';
import { BEFORE, explainedBy, type Item } from './item.ts';
import { endOf, parse, type SettlementRecord } from './record.ts';

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
export const REPORT_FORMAT = 'florin-settlement-report-1';

export const reportText = (linesHash: string): string => JSON.stringify([REPORT_FORMAT, linesHash]);

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

export const isShort = ({ held, owed }: Pick<AccountReserves, 'held' | 'owed'>): boolean => held < owed;

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
export const IN_BOOKS = { uncollected: 'receivable', treasury: 'treasury' } as const;

/** Adds up amounts by currency. */
const sumOf = (all: readonly ReadonlyMap<string, Amount>[]): Map<string, Amount> => {
  const sums = new Map<string, Amount>();
  for (const one of all) for (const [currency, amount] of one) sums.set(currency, (sums.get(currency) ?? 0n) + amount);
  return sums;
};

/** The totals that are compared, of every currency that one side knows. */
export const comparedOf = (balances: Close['balances'], { list }: Proofs, explained: ReadonlyMap<string, Amount>): Compared[] => {
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

export const totalLine = ({ name, currency, books, other, items }: Compared): unknown[] => [
  ...['total', name, currency, String(books), String(other)],
  ...(items === 0n ? [] : [String(items)]),
];

const itemLine = ({ id, currency, ledger, books, since }: Item): unknown[] => [
  ...['item', id, currency, String(ledger), String(books), since.toISOString()],
];

export const isOverdue = (id: string, since: Date, overdue: Date): boolean => id !== BEFORE && since < overdue;

const nameOf = ({ chainId, block, blockHash, at, hash }: ProofName): unknown[] => [chainId, block, blockHash, at, hash];

/** Closest and farthest that an earlier proof is before the one of a report: what is refunded is returned within hours, and the report of the next day must not name it again. */
const [MIN_EARLIER_MS, MAX_EARLIER_MS] = [12 * 3_600_000, 30 * 3_600_000];

/** Returns true if two proofs are as far apart as they must be. */
export const isEarlier = (earlier: string, at: string): boolean => {
  const apart = Date.parse(at) - Date.parse(earlier);
  return apart >= MIN_EARLIER_MS && apart <= MAX_EARLIER_MS;
};

/** Longest time between the end of a day and the proof of reserves that is compared with it: one is made a day. */
export const MAX_PROOF_HOURS = 26;

/** Returns true if a report of a day may be compared with a proof of a time. */
export const isTimely = (at: string, day: string): boolean => {
  const hours = (Date.parse(at) - endOf(day).getTime()) / 3_600_000;
  return hours >= 0 && hours <= MAX_PROOF_HOURS;
};

/** Those whose Safes hold less than is owed, as an earlier proof states them. */
export const shortOf = (accounts: readonly AccountReserves[]): ReadonlySet<string> =>
  new Set(accounts.filter(isShort).map(({ accountId, token }) => `${accountId} ${token}`));

/** Marks a Safe that is short and was not in the earlier proof. */
export const SINCE = 'since';

export const safeLine = (account: AccountReserves, { earlier }: Pick<Reserves, 'earlier'>): unknown[] => {
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

export const toRows = (balances: Close['balances']): string[][] =>
  balances.map(({ account, currency, amount }) => [account, currency, String(amount)]);
export const fromRows = (rows: unknown): Balance[] =>
  (rows as string[][]).map(([account = '', currency = '', amount = '']) => ({ account, currency, amount: BigInt(amount) }));

const closeLine = (close: Close, { n, at, previousHash }: Pick<Block, 'n' | 'at' | 'previousHash'>): unknown[] => [
  ...['close', n, at.toISOString(), previousHash, close.records, close.recordsHash, toRows(close.balances), close.key.x, close.signature],
];

export const publicKeyOf = (x: string): PublicKey => ({ kty: 'OKP', crv: 'Ed25519', x });

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
