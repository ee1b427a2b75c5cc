import type { Hex } from '@florin/evm/hex';
import type { ScannedBlock } from '../domain/transfer.ts';
import type { ChainNode } from '../ports/chain-node.ts';
import { readBlockTransfers } from '../ports/read-block-transfers.ts';

/** Transfers after which no further blocks are read: they are in memory together. */
const MAX_TRANSFERS = 50_000;

/**
 * Reads finalized blocks with the transfers of watched tokens. Two queries per block to each node, however many accounts there are; many queries share
 * a request. Ends early, with fewer blocks than the range has, when they hold very many transfers.
 * @returns the blocks in order, each the child of the one before
 * @throws Error when a node fails, or when the blocks are not one chain
 */
export const readBlocks = async (
  node: Pick<ChainNode, 'headers' | 'transfers'>,
  contracts: readonly Hex[],
  range: { from: number; to: number },
): Promise<ScannedBlock[]> => {
  const headers = await node.headers(Array.from({ length: range.to - range.from + 1 }, (_, index) => range.from + index));
  const orphan = headers.find(({ parentHash }, index) => index > 0 && parentHash !== headers[index - 1]?.hash);
  if (orphan !== undefined) throw new Error(`block ${orphan.number} is not the child of the block before it`);
  const read = await readBlockTransfers(node, headers, contracts, MAX_TRANSFERS);
  return read.map(({ header, transfers }) => ({ ...header, transfers }));
};
