import type { Hex } from '@florin/evm/hex';
import type { TokenTransfer } from '../domain/transfer.ts';

export type BlockHeader = { number: number; hash: Hex; parentHash: Hex };

/**
 * A chain as a node shows it. Every method rejects when the node does not respond, does not know the block, or returns what is malformed:
 * nothing is ever taken for absent because a node is behind.
 */
export type ChainNode = {
  /** EIP-155 id of the node's chain. */
  chainId: () => Promise<number>;
  /** Number of the newest block that cannot be reorganized any more. */
  finalizedNumber: () => Promise<number>;
  header: (number: number) => Promise<BlockHeader>;
  /** The Transfer events of these contracts in a block, in order. Asked by the block's hash, so that a node without that block fails. */
  transfers: (blockHash: Hex, contracts: readonly Hex[]) => Promise<TokenTransfer[]>;
  /** The events of a transaction in the order of its receipt, each by its position in this block. */
  receiptEvents: (transaction: { txHash: Hex; blockHash: Hex }) => Promise<readonly number[]>;
};
