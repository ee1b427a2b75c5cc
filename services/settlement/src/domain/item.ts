import { type Amount, toMinorUnits } from '@florin/rpc/money';
import { derivedId } from '@florin/rpc/runtime';
import { keyOf, legsOf, type SettlementRecord } from './record.ts';

/**
 * One side's word about an item. Both sides of an item are what `receivable` and the ledger have of one thing: a payment of an account (`<payment>/<account>`), a movement between
 * a Safe and the treasury (`collection/<entry>`), what the network has paid for disputes of a payment (`disputes/<payment>`), a report in suspense (`suspense/<reference>`), or a
 * record that belongs to none of these (its key).
 */
export type Part = {
  /** The ledger's entry, or the record. Each is in one item. */
  key: string;
  item: string;
  currency: string;
  /** In the minor unit. By how much an entry of the ledger raises what cards have spent and was not collected; of a record, the change of `receivable` with the opposite sign. */
  amount: Amount;
  /** When it was booked. */
  at: Date;
} & (
  | {
      shard: string;
      block: number;
      /** Chain of its token; absent from what earlier releases have read. */
      chainId?: number;
    }
  | { day: string }
);

/** The parts of an item, added up: what the ledger has booked, and what `receivable` has. */
export type Item = { id: string; currency: string; ledger: Amount; books: Amount; since: Date };

/** An entry of the ledger, as far as items need it. */
export type Entry = {
  id: string;
  shard: string;
  block: number;
  at: Date;
  /** Id of the payment, of orders of the card service. */
  reference: string;
  transfers: readonly { debit: string; credit: string; token: string; amount: string }[];
};

/** A token of ASSETS, with the decimals of its currency. */
export type Scale = { currency: string; decimals: number; currencyDecimals: number; chainId: number };

const isSpent = (account: string): boolean => account === 'settlement' || account.endsWith('/settling');
/** System accounts whose entries with `settlement` are items of their own. */
const OWN_ITEMS: readonly string[] = ['disputes', 'suspense'];

const userOf = (account: string): string => (account.includes('/') ? (account.split('/')[0] ?? '') : '');

/**
 * The parts of an entry: by how much it has changed what cards have spent and was not collected (`settling` of users and `settlement`), by account, currency
 * and chain. Parts of a minor unit are dropped.
 */
export const partsOf = ({ id, shard, block, at, reference, transfers }: Entry, scaleOf: (token: string) => Scale | undefined): Part[] => {
  const sums = new Map<string, { party: string; token: string; amount: Amount }>();
  let isOnChain = false;
  for (const { debit, credit, token, amount } of transfers) {
    if (isSpent(debit) === isSpent(credit)) continue;
    isOnChain ||= debit === 'chain' || credit === 'chain';
    const user = isSpent(credit) ? userOf(credit) || userOf(debit) : userOf(debit) || userOf(credit);
    const party = user || (OWN_ITEMS.find((name) => name === debit || name === credit) ?? '');
    const key = `${party} ${token}`;
    const change = isSpent(credit) ? BigInt(amount) : -BigInt(amount);
    sums.set(key, { party, token, amount: (sums.get(key)?.amount ?? 0n) + change });
  }
  // The first that is no account's has the key that all of them had once, so that what is stored of it moves.
  const first = [...sums.values()].find(({ party }) => party === '' || OWN_ITEMS.includes(party))?.party;
  const parts = new Map<string, Part>();
  for (const { party, token, amount } of sums.values()) {
    const scale = scaleOf(token);
    if (scale === undefined) continue;
    const { currency, decimals, currencyDecimals, chainId } = scale;
    const about = reference || id;
    const ofPayment = OWN_ITEMS.includes(party) ? `${party}/${about}` : `${about}/${party}`;
    const item = isOnChain ? `collection/${id}` : ofPayment;
    // Several tokens may be of one currency.
    const ofFirstChain = `${shard}/${id}/${party === first ? '' : party || 'other'}/${currency}`;
    const standing = parts.get(ofFirstChain);
    const key =
      standing === undefined || ('chainId' in standing && standing.chainId === chainId) ? ofFirstChain : `${ofFirstChain}/${chainId}`;
    const before = parts.get(key)?.amount ?? 0n;
    parts.set(key, { key, item, currency, amount: before + toMinorUnits(amount, decimals, currencyDecimals), at, shard, block, chainId });
  }
  return [...parts.values()].filter(({ amount }) => amount !== 0n);
};

/** The change of `receivable`. */
const receivedBy = (record: SettlementRecord): Amount =>
  legsOf(record).reduce((sum, leg) => (leg.account === 'receivable' ? sum + leg.amount : sum), 0n);

/** The payment that the report of a clearing is of, once it is found, or the reference of the report while it is in suspense. */
type Found = { found?: { paymentId: string; accountId: string } | undefined; suspenseId?: string | undefined };

/** Ids of items: of a movement, of disputes, of a report in suspense, of a payment, and the key of a record. */
const ITEM = /^(?:(?:collection|disputes|suspense)\/\S+|[0-9a-f-]{36}\/(?:[0-9a-f-]{36})?|[^\s:]+:\S+)$/;

/**
 * The part of a record that changes `receivable`, in its currency. A clearing belongs to the payment that it was matched with, or to its report in suspense; a movement that the chain service reports to the ledger's entry
 * about it; a correction to the item that its note is, if it is the id of one. Undefined for a conversion, which belongs to the payment of its clearing.
 */
export const partOf = (record: SettlementRecord, day: string, at: Date, { found, suspenseId }: Found = {}): Part | undefined => {
  if (record.kind === 'correction' && record.source === 'settlement') return undefined;
  const key = keyOf(record);
  const common = { key, currency: record.currency, amount: -receivedBy(record), at, day };
  switch (record.kind) {
    case 'clearing':
      if (found !== undefined) return { ...common, item: `${found.paymentId}/${found.accountId}` };
      return { ...common, item: suspenseId === undefined ? key : `suspense/${suspenseId}` };
    case 'collection':
      return { ...common, item: record.source === 'chain' ? `collection/${derivedId(`florin/transfer/${record.id}`)}` : key };
    case 'correction':
      return common.amount === 0n ? undefined : { ...common, item: ITEM.test(record.note) ? record.note : key };
    case 'bank':
      return undefined;
  }
};

/** The part of a conversion, on the day that it is booked on, beside that of its clearing. */
export const conversionPartOf = (conversion: SettlementRecord, day: string, ofClearing: Part): Part => ({
  ...{ key: keyOf(conversion), item: ofClearing.item, currency: conversion.currency },
  ...{ amount: -receivedBy(conversion), at: ofClearing.at, day },
});

/**
 * Adds the parts of an item up as of a closed day, and of the blocks of the ledger up to those that the proof of the part's chain states.
 * @returns undefined if both sides agree
 */
export const itemOf = (
  { id, currency, parts }: { id: string; currency: string; parts: readonly Part[] },
  { day, proofs = [] }: { day: string; proofs?: readonly { chainId: number; blocks: ReadonlyMap<string, number> }[] },
): Item | undefined => {
  const within = parts.filter((part) => {
    if ('day' in part) return part.day <= day;
    const proof = proofs.find(({ chainId }) => chainId === part.chainId) ?? proofs[0];
    return proof === undefined || part.block <= (proof.blocks.get(part.shard) ?? 0);
  });
  const sumOf = (some: readonly Part[]): Amount => some.reduce((sum, { amount }) => sum + amount, 0n);
  const [ledger, books] = [sumOf(within.filter((part) => !('day' in part))), -sumOf(within.filter((part) => 'day' in part))];
  const since = new Date(Math.max(...within.map(({ at }) => at.getTime())));
  return ledger === books ? undefined : { id, currency, ledger, books, since };
};

/** Item of what was spent before the first record: it was settled otherwise. */
export const BEFORE = 'before';

/** Compares with those of others for the order of items, in which each is once. */
export const orderOf = ({ id, currency }: Pick<Item, 'id' | 'currency'>): string => `${id} ${currency}`;

/** Sorts items. Those that only the ledger has, from before a time, are added up into one for each currency. */
export const inOrder = (items: readonly Item[], first: Date): Item[] => {
  const [early, others] = [new Map<string, Amount>(), [] as Item[]];
  for (const item of items) {
    if (item.books === 0n && item.since < first) early.set(item.currency, (early.get(item.currency) ?? 0n) + item.ledger);
    else others.push(item);
  }
  const before = [...early].map(([currency, ledger]): Item => ({ id: BEFORE, currency, ledger, books: 0n, since: first }));
  return [...others, ...before].toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
};

/** The differences of items, by the total that they explain, and currency: what the ledger says is the books and so much. */
export const explainedBy = (items: readonly Pick<Item, 'id' | 'currency' | 'ledger' | 'books'>[]): ReadonlyMap<string, Amount> => {
  const sums = new Map<string, Amount>();
  const add = (name: string, amount: Amount): void => void sums.set(name, (sums.get(name) ?? 0n) + amount);
  for (const { id, currency, ledger, books } of items) {
    add(`uncollected ${currency}`, ledger - books);
    // A movement that only the ledger knows is on the chain, and not in the books of the treasury.
    if (id.startsWith('collection/')) add(`treasury ${currency}`, books - ledger);
  }
  return sums;
};
