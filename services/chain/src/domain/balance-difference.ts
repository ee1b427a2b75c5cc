import type { Amount } from '@florin/rpc/money';

/**
 * The balance of an account in one token, by the chain and by the books, all as of the same block. With `onChain` the balance of the Safe:
 * - `onChain = seen`, unless the balance changed without a Transfer event, or before the watching began;
 * - `seen = booked + refused`, unless the ledger and the watcher disagree about what has moved;
 * - `booked = inLedger + elsewhere`, by the ledger's own arithmetic.
 */
export type AccountBalance = {
  accountId: string;
  /** Symbol. */
  token: string;
  /** `balanceOf` of the Safe. */
  onChain: Amount;
  /** Sum of the transfers that the watcher has recorded, those out negative. */
  seen: Amount;
  /** Part of `seen` that the ledger refused to book: each is an exception. */
  refused: Amount;
  /** The amount received in the ledger from `chain`, less the amount given back. */
  booked: Amount;
  /** The amount given to other accounts of the ledger: card spending above all, which is still in the Safe. */
  elsewhere: Amount;
};

/** An account whose balance cannot be explained. */
export type BalanceDifference = AccountBalance & { chainId: number; blockNumber: number };

/** A change on the chain without a transfer that the watcher has seen. */
export const unseenOf = ({ onChain, seen }: AccountBalance): Amount => onChain - seen;

/** Transfers that the watcher has seen and the ledger has neither booked nor refused. */
export const unbookedOf = ({ seen, refused, booked }: AccountBalance): Amount => seen - refused - booked;

/** The six buckets of the account together: available, held, incoming, outgoing, settling, and debt below zero. */
export const inLedgerOf = ({ booked, elsewhere }: AccountBalance): Amount => booked - elsewhere;

export const differs = (balance: AccountBalance): boolean => unseenOf(balance) !== 0n || unbookedOf(balance) !== 0n;
