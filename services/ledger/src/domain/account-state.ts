import type { Amount } from '@florin/rpc/money';
import type { AccountStatus } from './account.ts';
import type { Bucket } from './ledger-account.ts';

/** Money that is set aside until the hold is posted or voided, or runs out. */
export type OpenHold = {
  token: string;
  amount: Amount;
  /** System account that gets it when the hold is posted. */
  credit: string;
  /** Milliseconds since 1970. From then on it cannot be posted. */
  expiresAt: number;
};

/** What the journal says of an account, as of some block. Never changed in place once it can be read: a change makes a copy. */
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

export const balanceOf = (account: AccountState, token: string, bucket: Bucket): Amount => account.balances.get(`${token}/${bucket}`) ?? 0n;

/** The booked balance (ISO 20022): what is in the Safe and cleared, whether it is held or on its way out or not. */
export const bookedBalance = (account: AccountState, token: string): Amount =>
  balanceOf(account, token, 'available') + balanceOf(account, token, 'held') + balanceOf(account, token, 'outgoing');

/** An account without money: no bucket of any token holds something. */
export const isEmpty = ({ balances }: AccountState): boolean => {
  for (const balance of balances.values()) if (balance !== 0n) return false;
  return true;
};
