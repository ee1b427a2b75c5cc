import type { Amount } from '@florin/rpc/money';
import type { AccountStatus } from './account.ts';
import { BOOKED_BUCKETS, type Bucket, balanceKey } from './ledger-account.ts';

/** What a hold sets aside for one ledger account. */
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

/** An account as of some block. Never changed in place once it can be read: a change makes a copy. */
export type AccountState = {
  status: AccountStatus;
  /** By `<token>/<bucket>`. */
  balances: Map<string, Amount>;
  /** Open ones, by the id of the entry that created them. Shared by copies: a change replaces the whole map. */
  holds: ReadonlyMap<string, OpenHold>;
};

export const newAccountState = (): AccountState => ({ status: 'provisioning', balances: new Map(), holds: new Map() });

export const copyAccountState = ({ status, balances, holds }: AccountState): AccountState => ({
  status,
  balances: new Map(balances),
  holds,
});

export const sumOfParts = (parts: readonly HoldPart[]): Amount => {
  let sum = 0n;
  for (const { amount } of parts) sum += amount;
  return sum;
};

export const balanceOf = (account: AccountState, token: string, bucket: Bucket): Amount =>
  account.balances.get(balanceKey(token, bucket)) ?? 0n;

/** The booked balance (ISO 20022): what is cleared, whether it is held or on its way out or not, less what is owed. */
export const bookedBalance = (account: AccountState, token: string): Amount => {
  let sum = 0n;
  for (const bucket of BOOKED_BUCKETS) {
    const balance = balanceOf(account, token, bucket);
    if (balance !== 0n) sum += balance;
  }
  return sum;
};

/** Whether every bucket of every token is zero. */
export const isEmpty = ({ balances }: AccountState): boolean => {
  for (const balance of balances.values()) if (balance !== 0n) return false;
  return true;
};
