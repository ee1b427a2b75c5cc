import type { Hex } from '@florin/evm/hex';
import type { ScannedBlock } from '../domain/transfer.ts';
import type { ChainNode } from '../ports/chain-node.ts';
import { mapBounded } from '../ports/map-bounded.ts';

/** Blocks that are read at the same time. */
const CONCURRENCY = 8;

/** Transfers after which no further blocks are read: they are in memory together. */
const MAX_TRANSFERS = 50_000;

/**
 * Reads finalized blocks with the transfers of watched tokens. Two queries per block to each node, however many accounts there are. Ends early, with
 * fewer blocks than the range has, when they hold very many transfers.
 * @returns the blocks in order, each the child of the one before
 * @throws Error when a node fails, or when the blocks are not one chain
 */
export const readBlocks = async (
  node: Pick<ChainNode, 'header' | 'transfers'>,
  contracts: readonly Hex[],
  range: { from: number; to: number },
): Promise<ScannedBlock[]> => {
  const numbers = Array.from({ length: range.to - range.from + 1 }, (_, index) => range.from + index);
  let held = 0;
  const read = await mapBounded(numbers, CONCURRENCY, async (number): Promise<ScannedBlock | undefined> => {
    if (held > MAX_TRANSFERS) return undefined;
    const header = await node.header(number);
    const transfers = await node.transfers(header.hash, contracts);
    held += transfers.length;
    return { ...header, transfers };
  });
  const end = read.indexOf(undefined);
  const blocks = (end === -1 ? read : read.slice(0, end)).filter((block) => block !== undefined);
  const orphan = blocks.find(({ parentHash }, index) => index > 0 && parentHash !== blocks[index - 1]?.hash);
  if (orphan !== undefined) throw new Error(`block ${orphan.number} is not the child of the block before it`);
  return blocks;
};
