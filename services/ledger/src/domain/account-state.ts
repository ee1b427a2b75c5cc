import type { Amount } from '@florin/rpc/money';
import type { AccountStatus } from './account.ts';
import { BOOKED_BUCKETS, type Bucket, balanceKey } from './ledger-account.ts';

/** The amount that a hold sets aside for one ledger account. */
export type HoldPart = {
  /** Ledger account that receives it when the hold is posted. */
  credit: string;
  /** In the token's smallest unit; zero when nothing is left. */
  amount: Amount;
};

/** Money that is set aside until the hold is posted or voided, or expires. */
export type OpenHold = {
  token: string;
  /** At least one; each receiver once, in the order in which they were named. */
  parts: readonly HoldPart[];
  /** Milliseconds since 1970. From then on it cannot be posted without force. */
  expiresAt: number;
};

/**
 * An account as of some block. Never changed in place once it can be read: a change makes a copy. Up to a million are in memory: balances are
 * flat, and what accounts have in common is shared.
 */
export type AccountState = {
  status: AccountStatus;
  /** Keys of its balances, `<token>/<bucket>`; shared by accounts that have the same. */
  keys: readonly string[];
  /** The balances, in the order of `keys`. */
  amounts: Amount[];
  /** Open ones, by the id of the entry that created them. Shared by copies: a change replaces the whole map. */
  holds: ReadonlyMap<string, OpenHold>;
};

/** Most lists of keys that are shared; there are few unless accounts have many tokens. */
const MAX_SHARED = 10_000;
const sharedKeys = new Map<string, readonly string[]>();

/** The list of these keys that accounts share. */
const shareKeys = (keys: readonly string[]): readonly string[] => {
  const text = keys.join(' ');
  const shared = sharedKeys.get(text);
  if (shared !== undefined) return shared;
  if (sharedKeys.size < MAX_SHARED) sharedKeys.set(text, keys);
  return keys;
};

const NO_HOLDS: ReadonlyMap<string, OpenHold> = new Map();

/** @param balances by key, each key once */
export const accountState = (
  status: AccountStatus,
  balances: readonly (readonly [key: string, amount: Amount])[] = [],
  holds: ReadonlyMap<string, OpenHold> = NO_HOLDS,
): AccountState => ({
  status,
  keys: shareKeys(balances.map(([key]) => key)),
  amounts: balances.map(([, amount]) => amount),
  holds: holds.size === 0 ? NO_HOLDS : holds,
});

export const newAccountState = (): AccountState => accountState('provisioning');

export const copyAccountState = ({ status, keys, amounts, holds }: AccountState): AccountState => ({
  status,
  keys,
  amounts: amounts.slice(),
  holds,
});

/** Balance under a key, `<token>/<bucket>`. */
export const amountOf = ({ keys, amounts }: AccountState, key: string): Amount => amounts[keys.indexOf(key)] ?? 0n;

/** Changes a balance in place: only of an account that cannot be read yet. */
export const addTo = (account: AccountState, key: string, delta: Amount): void => {
  const place = account.keys.indexOf(key);
  if (place !== -1) account.amounts[place] = (account.amounts[place] ?? 0n) + delta;
  else {
    account.keys = shareKeys([...account.keys, key]);
    account.amounts.push(delta);
  }
};

/** Balances by key, `<token>/<bucket>`, zeros among them. */
export const balancesOf = ({ keys, amounts }: AccountState): [key: string, amount: Amount][] =>
  amounts.map((amount, place) => [keys[place] ?? '', amount]);

export const sumOfParts = (parts: readonly HoldPart[]): Amount => {
  let sum = 0n;
  for (const { amount } of parts) sum += amount;
  return sum;
};

export const balanceOf = (account: AccountState, token: string, bucket: Bucket): Amount => amountOf(account, balanceKey(token, bucket));

/** One minor unit of a token's currency in the token's smallest unit, by symbol; zero for an unknown token. */
export type MinorUnits = (token: string) => Amount;

/** The booked balance (ISO 20022): what is cleared, whether it is held or on its way out or not, less what is owed. */
export const bookedBalance = (account: AccountState, token: string): Amount => {
  let sum = 0n;
  for (const bucket of BOOKED_BUCKETS) {
    const balance = balanceOf(account, token, bucket);
    if (balance !== 0n) sum += balance;
  }
  return sum;
};

/** Dust of an account: available amounts below one minor unit of their currency, which nobody can spend, by token. */
export const dustOf = (account: AccountState, minorUnitOf: MinorUnits): [token: string, amount: Amount][] =>
  balancesOf(account).flatMap(([key, amount]) => {
    const [token = '', bucket] = key.split('/');
    return bucket === 'available' && amount > 0n && amount < minorUnitOf(token) ? [[token, amount]] : [];
  });

/** Reports whether an account has money of its user, or owes some. Dust does not count, nor does settling money, which is the operator's. */
export const hasMoney = (account: AccountState, minorUnitOf: MinorUnits): boolean => {
  const dust = new Set(dustOf(account, minorUnitOf).map(([token]) => balanceKey(token, 'available')));
  return balancesOf(account).some(([key, amount]) => amount !== 0n && !key.endsWith('/settling') && !dust.has(key));
};
