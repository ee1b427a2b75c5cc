import type { Hex } from '@florin/evm/hex';
import type { Amount } from '@florin/rpc/money';
import { derivedId } from '@florin/rpc/runtime';

/** A Transfer event (EIP-20) of a watched token. Addresses and hashes are in lower case. */
export type TokenTransfer = {
  /** Contract of the token. */
  contract: Hex;
  from: Hex;
  to: Hex;
  /** In the token's smallest unit. */
  amount: Amount;
  txHash: Hex;
  /**
   * Position of the event in its block. It changes when a reorganization puts the transaction elsewhere, so it identifies nothing: the position in
   * the receipt does.
   */
  blockLogIndex: number;
};

/** A block and the transfers of watched tokens in it, in order. */
export type ScannedBlock = { number: number; hash: Hex; parentHash: Hex; transfers: readonly TokenTransfer[] };

export type Direction = 'in' | 'out';

/** A transfer to or from an account's Safe. */
export type SafeTransfer = {
  chainId: number;
  txHash: Hex;
  /** Position of the event in its transaction's receipt: the same wherever the transaction ends up. */
  logIndex: number;
  direction: Direction;
  accountId: string;
  /** Other side. */
  counterparty: Hex;
  /** Symbol of the token. */
  token: string;
  amount: Amount;
  blockNumber: number;
  blockHash: Hex;
};

export type TransferKey = Pick<SafeTransfer, 'chainId' | 'txHash' | 'logIndex' | 'direction'>;

/** Key of a transfer, the same however often and in whatever block it is seen. A transfer between two Safes is one of each direction. */
export const transferKey = ({ chainId, txHash, logIndex, direction }: TransferKey): string =>
  `${chainId}/${txHash}/${logIndex}/${direction}`;

/** The UUID that stands for a transfer where a UUID is needed. */
export const transferId = (key: TransferKey): string => derivedId(`florin/transfer/${transferKey(key)}`);

/** Returns true for transfers that move nothing: amounts of zero, which anyone may send in anyone's name, and transfers to oneself. */
export const isIdle = ({ from, to, amount }: TokenTransfer): boolean => amount === 0n || from === to;
