import type { Hex } from '@florin/evm/hex';
import { derivedId } from '@florin/rpc/runtime';
import type { SafeChange } from './safe-change.ts';
import { type SafeTransfer, transferKey } from './transfer.ts';

/**
 * Why a transfer needs a person: the ledger refused to book it (`refused`); money left a Safe without the platform (`left`), which is
 * booked and blocks the account; or money that had left is back, because its block was replaced (`vanished`), which is for an adjustment to book.
 * `rejected` is a deposit that screening rejected and that stops the account's withdrawals until the exception is closed, by a person, or because it is back at
 * its sender.
 * `changed` is about no transfer: what controls a Safe changed or is about to, which blocks the account; or the issuer of a token has used its powers, which
 * blocks the token. Its `code` is the SafeChange or TokenChange, its counterparty the contract that emitted the event, its amount zero, its token empty unless it
 * is about one. Its account is empty when it concerns all that hold a token.
 */
export type ExceptionKind = 'refused' | 'left' | 'vanished' | 'changed' | 'rejected';

/**
 * open → closed, and open ⇄ retrying → closed. While a refused transfer is booked again it is `retrying`: nobody else can end it meanwhile, also not
 * after the process that books it was killed, because the ledger may have taken it.
 */
export type ExceptionStatus = 'open' | 'retrying' | 'closed';

/** An act of the issuer of a token: on one Safe, or to all that hold the token. */
export type TokenChange = 'TOKEN_FROZEN' | 'TOKEN_PAUSED' | 'TOKEN_UPGRADED';

/** A block that shows what an exception is about, and where. */
export type ShownIn = Pick<SafeTransfer, 'blockNumber' | 'blockHash' | 'logIndex'>;

/** A transfer that needs a person. `transfer` has the newest block that was seen to contain it. */
export type WatchException = {
  /** UUID, derived from the transfer. */
  id: string;
  kind: ExceptionKind;
  status: ExceptionStatus;
  /** Error code of the ledger of a refused one, SafeChange or TokenChange of a changed one. */
  code?: string;
  transfer: SafeTransfer;
  /** Of a changed or a left one: all blocks that were seen to contain it, at most one of which is part of the chain; absent once that is final. */
  blocks?: readonly ShownIn[];
  createdAt: Date;
  /** Of a refused one: whether the ledger has taken it since. */
  booked?: boolean;
  closedBy?: string;
  note?: string;
  /** Of a rejected one: who decided that it goes back to its sender, and the withdrawal that carries that out once it is about to be signed. */
  returnedBy?: string;
  returning?: string;
};

/** Returns true if an exception tells of what a block contains. The same in another block is news: a person who dealt with it has dealt with the former block. */
export const isShownIn = ({ transfer, blocks = [] }: Pick<WatchException, 'transfer' | 'blocks'>, blockHash: Hex): boolean =>
  [transfer, ...blocks].some((one) => one.blockHash === blockHash);

const idOf = (about: 'vanished' | 'rejected', transfer: SafeTransfer): string => derivedId(`florin/${about}/${transferKey(transfer)}`);

/** Id of the exception for a transfer out of a Safe that vanished: another one than that for the transfer itself. */
export const vanishedId = (transfer: SafeTransfer): string => idOf('vanished', transfer);

/** Id of the exception for a deposit that was rejected. */
export const rejectedId = (transfer: SafeTransfer): string => idOf('rejected', transfer);

/** Id of the exception for a change of control: one for each kind of change in a transaction, wherever a reorganization puts it. */
export const changeId = (change: {
  chainId: number;
  txHash: Hex;
  accountId: string;
  change: SafeChange | TokenChange | `${TokenChange}/${Hex}`;
}): string => derivedId(`florin/change/${change.chainId}/${change.txHash}/${change.accountId}/${change.change}`);
