import type { BlockStore } from '../journal/ports.ts';

/**
 * Number of the last block that was written at or before a time; 0 when none was. Blocks' times never decrease: a binary search.
 * Blocks that are not there were archived, and are older than all others.
 */
export const blockAt = async (blocks: Pick<BlockStore, 'find' | 'last'>, shard: string, time: Date): Promise<number> => {
  let low = 0;
  let high = await blocks.last(shard);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const block = await blocks.find(shard, middle);
    if (block === undefined || block.at <= time) low = middle;
    else high = middle - 1;
  }
  return low;
};
