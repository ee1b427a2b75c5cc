import type { BlockStore } from '../journal/ports.ts';

/** Tells of each insert that the engine has failed: the writer tries a block again by itself, so that no call ends with the error. */
export const tellingFailures = (blocks: BlockStore, failed: (error: unknown) => void): BlockStore => ({
  ...blocks,
  insert: (block) =>
    blocks.insert(block).catch((error: unknown) => {
      failed(error);
      throw error;
    }),
});
