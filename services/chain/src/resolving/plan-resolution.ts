import type { Hex } from '@florin/evm/hex';
import type { AccountsClient } from '../clients/accounts.ts';
import { type SafeTransfer, transferKey } from '../domain/transfer.ts';
import type { ChainNode } from '../ports/chain-node.ts';
import type { Cursor } from '../store/cursors.ts';
import type { TransferStore } from '../store/transfers.ts';
import { findSafeTransfers } from '../watching/book-transfers.ts';
import { readBlocks } from '../watching/read-blocks.ts';

/** Blocks that are read together. */
const WINDOW = 64;

/**
 * Booked or final blocks that count as replaceable: a resolution goes back so far at most. Its plan asks each node twice for each of them, within the minute that a call
 * may take: a day of Gnosis has 17,280 blocks, 580 queries a second.
 */
export const MAX_DEPTH = 2000;

/** The effects of a resolution. */
export type Resolution = {
  /** Where the watching goes on: the last block that stays booked. */
  resumeAt: { number: number; hash: Hex };
  /** Recorded transfers that the chain shows again; they stay booked. */
  kept: number;
  /** Recorded transfers that are not part of the chain any more. */
  vanished: SafeTransfer[];
};

export type PlanParts = {
  chainId: number;
  /** All nodes of the chain as one (`agree`). */
  node: ChainNode;
  symbols: ReadonlyMap<Hex, string>;
  accounts: Pick<AccountsClient, 'findBySafes'>;
  transfers: Pick<TransferStore, 'from' | 'lastBefore'>;
};

/**
 * The blocks that a resolution may name: the last or the first block from which the chain can be resolved, or the block as far as which it has to be
 * final again.
 */
export type Expected = { atMostBlock: number } | { atLeastBlock: number } | { finalBlock: number };

/** A resolution that would be wrong. */
export class ResolutionError extends Error {
  readonly expected: Expected;

  constructor(message: string, expected: Expected) {
    super(message);
    this.name = 'ResolutionError';
    this.expected = expected;
  }
}

/**
 * Finds out which recorded transfers of a halted chain have vanished, by reading the blocks that took the place of the booked ones.
 * @param from first block that was replaced, or an earlier one
 * @throws ResolutionError when `from` is too late, too early, or the chain has not become final as far as it was booked; Error when a node fails or the
 * nodes disagree; CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
 */
export const planResolution = async (parts: PlanParts, halted: Cursor, from: number): Promise<Resolution> => {
  const { chainId, node, symbols, accounts, transfers } = parts;
  if (from > halted.number) {
    const message = `from_block must be at most ${halted.number}, the last block that was booked`;
    throw new ResolutionError(message, { atMostBlock: halted.number });
  }
  const first = Math.max(1, halted.number - MAX_DEPTH + 1);
  if (from < first) throw new ResolutionError(`from_block must be at least ${first}`, { atLeastBlock: first });
  const finalized = await node.finalizedNumber();
  // Before that, what has not become final again would be taken for vanished.
  if (finalized < halted.number) {
    const message = `block ${halted.number} was booked and the chain is final to ${finalized} only: repeat later`;
    throw new ResolutionError(message, { finalBlock: halted.number });
  }
  const last = await transfers.lastBefore(chainId, from);
  if (last !== undefined && (await node.header(last.blockNumber)).hash !== last.blockHash) {
    const message = `from_block must be at most ${last.blockNumber}: that block was replaced too`;
    throw new ResolutionError(message, { atMostBlock: last.blockNumber });
  }

  const { hash } = await node.header(from - 1);
  const found = new Map<string, SafeTransfer>();
  const contracts = [...symbols.keys()];
  let parent = hash;
  for (let next = from; next <= finalized; ) {
    const blocks = await readBlocks(node, contracts, { from: next, to: Math.min(next + WINDOW - 1, finalized) });
    if (blocks[0]?.parentHash !== parent) throw new Error(`block ${next} is not the child of the block before it`);
    for (const transfer of await findSafeTransfers({ chainId, node, symbols }, blocks, accounts.findBySafes)) {
      found.set(transferKey(transfer), transfer);
    }
    parent = blocks.at(-1)?.hash ?? parent;
    next += blocks.length;
  }
  const recorded = await transfers.from(chainId, from);
  const vanished = recorded.filter((transfer) => {
    const again = found.get(transferKey(transfer));
    return again?.amount !== transfer.amount || again.accountId !== transfer.accountId || again.token !== transfer.token;
  });
  return { resumeAt: { number: from - 1, hash }, kept: recorded.length - vanished.length, vanished };
};
