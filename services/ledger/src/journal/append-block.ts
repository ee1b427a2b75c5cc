import type { Logger } from '@florin/rpc/observe';
import { pause, within } from '@florin/rpc/time';
import type { Block } from '../domain/block.ts';
import type { BlockStore } from './ports.ts';

/** Longer than any healthy write. */
const ENGINE_TIMEOUT_MS = 3000;
const MAX_PAUSE_MS = 500;

/**
 * Appends a block and does not rest before it knows whether it is in the journal, however long the engine is away. An insert that
 * failed in an unknown way is looked up: the stored block with our hash is ours, however often we tried; none there means that the
 * same block may be tried again; another one means that somebody was faster.
 * @returns whether the block stands in the journal; undefined when told to give up. That is safe too: a late insert still has to
 * win its number
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
      logger.warn({ err, n: block.n }, 'a block may or may not be written');
    }
    try {
      const stored = await within(ENGINE_TIMEOUT_MS, blocks.find(block.shard, block.n));
      if (stored !== undefined) return stored.hash === block.hash;
    } catch (err) {
      logger.warn({ err, n: block.n }, 'whether a block is written cannot be learned');
    }
    if (givenUp()) return undefined;
    await pause(Math.min(25 * 2 ** Math.min(failures, 6), MAX_PAUSE_MS));
  }
};
