import type { Hex } from '@florin/evm/hex';
import type { ControlEvent } from '../domain/safe-change.ts';
import type { TokenTransfer } from '../domain/transfer.ts';

/** A token's balance that is asked for. Addresses are in lower case. */
type Holding = { contract: Hex; holder: Hex };

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
  /** Number of the newest block, which may still be reorganized. */
  headNumber: () => Promise<number>;
  /** Events of any contract that concern the control of a Safe, of each of these blocks. Asked by the blocks' hashes. */
  controlEvents: (blockHashes: readonly Hex[]) => Promise<readonly (readonly ControlEvent[])[]>;
  /** For each contract the address that it is an enabled module of, as of a block; undefined when it is none. */
  avatars: (blockHash: Hex, modules: readonly Hex[]) => Promise<readonly (Hex | undefined)[]>;
  /** When a block was made. */
  blockTime: (number: number) => Promise<Date>;
  header: (number: number) => Promise<BlockHeader>;
  /** Several at once, in the order of the numbers. */
  headers: (numbers: readonly number[]) => Promise<readonly BlockHeader[]>;
  /** The Transfer events of these contracts in each of these blocks, in order. Asked by the blocks' hashes, so that a node without one of them fails. */
  transfers: (blockHashes: readonly Hex[], contracts: readonly Hex[]) => Promise<readonly (readonly TokenTransfer[])[]>;
  /** Balances of tokens as of a block, in the order of the holdings. Rejects when a token returns none. */
  balances: (blockHash: Hex, holdings: readonly Holding[]) => Promise<readonly bigint[]>;
  /** The events of a transaction in the order of its receipt, each by its position in this block. */
  receiptEvents: (transaction: { txHash: Hex; blockHash: Hex }) => Promise<readonly number[]>;
};
