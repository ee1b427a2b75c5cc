import type { Hex } from '@florin/evm/hex';
import { type Abi, decodeFunctionResult, encodeFunctionData } from 'viem';

/** An event of a transaction. Addresses and topics are in lower case. */
export type ReceiptEvent = { address: Hex; topics: readonly Hex[] };

/** An event of a contract. Topics and data are in lower case. */
export type ContractEvent = { topics: readonly Hex[]; data: Hex };

export type Receipt = {
  blockNumber: number;
  blockHash: Hex;
  /** False: it was reverted. */
  succeeded: boolean;
  /** In order. */
  events: readonly ReceiptEvent[];
};

/**
 * The state of a chain, and the way to change it, through a node. Every method rejects when the node does not respond, does not know the block,
 * or returns what is malformed.
 */
export type ExecutionNode = {
  /** EIP-155 id of the node's chain. */
  chainId: () => Promise<number>;
  /** Number of the newest block that cannot be reorganized any more. */
  finalizedNumber: () => Promise<number>;
  /** Number of the newest block. */
  newestNumber: () => Promise<number>;
  blockHash: (blockNumber: number) => Promise<Hex>;
  /** When a block was made. */
  blockTime: (blockNumber: number) => Promise<Date>;
  /**
   * The events of a contract with one of these first topics, in order. A node that is behind returns none of the blocks that it lacks: ask for final
   * blocks only.
   */
  events: (contract: Hex, topics: readonly Hex[], blocks: { from: number; to: number }) => Promise<readonly ContractEvent[]>;
  /** Code at an address after a block, `0x` when there is none. */
  codeAt: (address: Hex, blockNumber: number) => Promise<Hex>;
  /** 32 bytes of a contract's storage after a block. */
  storageAt: (address: Hex, slot: Hex, blockNumber: number) => Promise<Hex>;
  /**
   * Root of a contract's storage after a block (`storageHash` of EIP-1186), from which all that it holds follows. Undefined when the node proves none, or
   * the chain keeps its storage in another trie than Ethereum's.
   */
  storageRoot: (address: Hex, blockNumber: number) => Promise<Hex | undefined>;
  /** Result of a call after a block. A call that reverts is an error. */
  call: (to: Hex, data: Hex, blockNumber: number) => Promise<Hex>;
  /** Number of transactions that an address has sent up to a block: its next nonce there. */
  transactionCount: (address: Hex, blockNumber: number) => Promise<number>;
  /** Returns an address's balance of the chain's own coin after a block, in wei. */
  balance: (address: Hex, blockNumber: number) => Promise<bigint>;
  /** Returns false if a transaction would be reverted after a block. */
  wouldSucceed: (transaction: { from: Hex; to: Hex; data: Hex; gas: bigint }, blockNumber: number) => Promise<boolean>;
  /** Receipt of a mined transaction; undefined while it is in no block. */
  receipt: (txHash: Hex) => Promise<Receipt | undefined>;
  /** The present price of a transaction, in wei per gas (EIP-1559): the base fee of the newest block, and a tip that is usual. */
  fees: () => Promise<{ baseFee: bigint; tip: bigint }>;
  /** Hands a signed transaction to the network. Rejects when the node does not take it, also when it knows it already. */
  broadcast: (rawTransaction: Hex) => Promise<void>;
};

/** The views of a contract after one block. */
export const viewsOf =
  (node: Pick<ExecutionNode, 'call'>, to: Hex, abi: Abi, block: number) =>
  async (functionName: string, args: readonly unknown[] = []): Promise<unknown> => {
    const data = await node.call(to, encodeFunctionData({ abi, functionName, args }), block);
    return decodeFunctionResult({ abi, functionName, data });
  };
