import { CodedError } from '@florin/kit/errors';
import type { Logger } from '@florin/kit/observe';
import { pause, within } from '@florin/kit/time';
import type { Block } from '../domain/block.ts';
import type { BlockStore } from './ports.ts';

/** Longer than any healthy write, shorter than a caller's patience. */
const ENGINE_TIMEOUT_MS = 3000;

/** An engine that restarts is back within these, most of the time. */
const PAUSES_MS = [50, 100, 200, 400, 800] as const;

/**
 * Appends a block and does not rest before it knows whether it is in the journal. An insert that failed in an unknown way is
 * looked up: the stored block with our hash is ours, however often we tried; none there means that the same block may be tried
 * again; another one means that somebody was faster.
 *
 * Giving up is safe too. A late insert still has to win its number: the next block of ours then fails on it, and reads it.
 * @returns whether the block stands in the journal
 * @throws CodedError SERVICE_UNAVAILABLE when that could not be learned in bounded time
 */
export const appendBlock = async (blocks: BlockStore, block: Block, logger: Logger): Promise<boolean> => {
  let cause: unknown;
  for (let attempt = 0; attempt <= PAUSES_MS.length; attempt += 1) {
    if (attempt > 0) await pause(PAUSES_MS[attempt - 1] ?? 0);
    try {
      if ((await within(ENGINE_TIMEOUT_MS, blocks.insert(block))) === 'inserted') return true;
    } catch (err) {
      cause = err;
      logger.warn({ err, n: block.n }, 'a block may or may not be written');
    }
    try {
      const stored = await within(ENGINE_TIMEOUT_MS, blocks.find(block.shard, block.n));
      if (stored !== undefined) return stored.hash === block.hash;
    } catch (err) {
      cause = err;
    }
  }
  throw new CodedError('SERVICE_UNAVAILABLE', { message: 'the journal cannot be written', cause });
};
