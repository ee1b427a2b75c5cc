import type { Hex } from '@florin/evm/hex';
import type { ScannedBlock } from '../domain/transfer.ts';
import type { ChainNode } from '../ports/chain-node.ts';
import { mapBounded } from './map-bounded.ts';

/** Blocks that are read at the same time. */
const CONCURRENCY = 8;

/**
 * Reads finalized blocks with the transfers of watched tokens. Two queries per block to each node, however many accounts there are.
 * @returns the blocks in order, each the child of the one before
 * @throws Error when a node fails, or when the blocks are not one chain
 */
export const readBlocks = async (
  node: Pick<ChainNode, 'header' | 'transfers'>,
  contracts: readonly Hex[],
  range: { from: number; to: number },
): Promise<ScannedBlock[]> => {
  const numbers = Array.from({ length: range.to - range.from + 1 }, (_, index) => range.from + index);
  const blocks = await mapBounded(numbers, CONCURRENCY, async (number): Promise<ScannedBlock> => {
    const header = await node.header(number);
    return { ...header, transfers: await node.transfers(header.hash, contracts) };
  });
  const orphan = blocks.find(({ parentHash }, index) => index > 0 && parentHash !== blocks[index - 1]?.hash);
  if (orphan !== undefined) throw new Error(`block ${orphan.number} is not the child of the block before it`);
  return blocks;
};
