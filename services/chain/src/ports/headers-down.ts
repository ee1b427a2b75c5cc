import type { Hex } from '@florin/evm/hex';
import type { BlockHeader, ChainNode } from './chain-node.ts';

type Options = {
  /** Number of the last one. */
  lowest: number;
  /** Headers that are known already: they are not asked for. */
  known: Pick<ReadonlyMap<Hex, BlockHeader>, 'get'>;
};

/**
 * Reads the headers of one branch from the newest one down. The more were asked for, the more share a request: mostly one block is new, after a start all are.
 * @returns a function that reads the header with a number, the parent of the one before
 */
export const createHeadersDown = (node: Pick<ChainNode, 'headers'>, { lowest, known }: Options) => {
  let count = 1;
  let read = new Map<number, BlockHeader>();
  const headerAt = async (number: number): Promise<BlockHeader> => {
    if (!read.has(number)) {
      const numbers = Array.from({ length: Math.min(count, number - lowest + 1) }, (_, index) => number - index);
      read = new Map((await node.headers(numbers)).map((header) => [header.number, header]));
      count *= 2;
    }
    return read.get(number) ?? Promise.reject(new Error(`the node returned no block ${number}`));
  };
  return async (number: number, child: BlockHeader | undefined): Promise<BlockHeader> => {
    const header = (child && known.get(child.parentHash)) ?? (await headerAt(number));
    // The chain was reorganized between two queries: the next round sees it as a whole.
    if (child !== undefined && header.hash !== child.parentHash) throw new Error(`block ${number} was replaced meanwhile`);
    return header;
  };
};
