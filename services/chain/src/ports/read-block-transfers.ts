import type { Hex } from '@florin/evm/hex';
import type { TokenTransfer } from '../domain/transfer.ts';
import type { BlockHeader, ChainNode } from './chain-node.ts';
import { mapBounded } from './map-bounded.ts';

/** Blocks whose transfers share a request. */
const BLOCKS_PER_REQUEST = 8;

/**
 * Requests at the same time. A block without room for anything else holds some 4 MB of transfers, and a node's responses are limited together: a node
 * that takes no batches is asked for eight blocks of each request at a time.
 */
const CONCURRENCY = 2;

type Found = { header: BlockHeader; transfers: readonly TokenTransfer[] };

/**
 * Reads the transfers of some tokens in blocks, in order.
 * @param enough the number of transfers after which no further requests are made
 * @returns the first blocks with their transfers, at least one if there are any; all of them unless `enough` were found
 * @throws Error when a node fails
 */
export const readBlockTransfers = async (
  node: Pick<ChainNode, 'transfers'>,
  headers: readonly BlockHeader[],
  contracts: readonly Hex[],
  enough = Number.POSITIVE_INFINITY,
): Promise<Found[]> => {
  const starts = Array.from({ length: Math.ceil(headers.length / BLOCKS_PER_REQUEST) }, (_, index) => index * BLOCKS_PER_REQUEST);
  let held = 0;
  const read = await mapBounded(starts, CONCURRENCY, async (start): Promise<Found[] | undefined> => {
    if (held > enough) return undefined;
    const some = headers.slice(start, start + BLOCKS_PER_REQUEST);
    const found = await node.transfers(
      some.map(({ hash }) => hash),
      contracts,
    );
    held += found.reduce((sum, transfers) => sum + transfers.length, 0);
    return some.map((header, index): Found => {
      const transfers = found[index];
      // An unknown result must not be taken for a block without transfers.
      if (transfers === undefined) throw new Error(`the node returned no transfers of block ${header.number}`);
      return { header, transfers };
    });
  });
  const found: Found[] = [];
  for (const some of read) {
    if (some === undefined) break;
    found.push(...some);
  }
  return found;
};
