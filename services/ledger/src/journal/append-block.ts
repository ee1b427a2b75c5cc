import type { Logger } from '@florin/rpc/observe';
import { pause, within } from '@florin/rpc/time';
import type { Block } from '../domain/block.ts';
import { ENGINE_TIMEOUT_MS } from './bounded-stores.ts';
import type { BlockStore } from './ports.ts';

const MAX_PAUSE_MS = 500;

/**
 * Appends a block, and retries until it is known whether the block is in the journal, however long the engine is away. After an
 * insert with an unknown outcome the number is read back: a block with the same hash is this one; no block means that the insert may
 * be repeated; another block means that another writer was first.
 * @returns whether the block is in the journal; undefined when told to give up. That is safe too: a late insert still has to win its
 * number
 */
export const appendBlock = async (
  blocks: Pick<BlockStore, 'insert' | 'find'>,
  block: Block,
  logger: Logger,
  givenUp: () => boolean,
): Promise<boolean | undefined> => {
  for (let failures = 0; ; failures += 1) {
    try {
      if ((await within(ENGINE_TIMEOUT_MS, blocks.insert(block))) === 'inserted') return true;
    } catch (err) {
      logger.warn({ err, n: block.n }, 'the outcome of a block write is unknown, checking');
    }
    try {
      const stored = await within(ENGINE_TIMEOUT_MS, blocks.find(block.shard, block.n));
      if (stored !== undefined) return stored.hash === block.hash;
    } catch (err) {
      logger.warn({ err, n: block.n }, 'reading a block back failed');
    }
    if (givenUp()) return undefined;
    await pause(Math.min(25 * 2 ** Math.min(failures, 6), MAX_PAUSE_MS));
  }
};
