import type { Logger } from '@florin/rpc/observe';
import { within } from '@florin/rpc/time';
import { encodeEntries, sealBlock } from '../domain/block.ts';
import { createSpeculation } from '../domain/shard-state.ts';
import { appendBlock } from './append-block.ts';
import { ENGINE_TIMEOUT_MS } from './bounded-stores.ts';
import type { Forming } from './forming.ts';
import type { BlockStore } from './ports.ts';
import type { ShardMemory } from './shard-memory.ts';
import { LostRaceError } from './writer-state.ts';

export type Writer = {
  /**
   * Appends the empty block that begins a term.
   * @returns false if it is unknown whether the block was written. The term has ended; a late block is harmless
   * @throws LostRaceError
   */
  begin: (at: Date) => Promise<boolean>;
  /**
   * Writes a draft, and takes it in. A draft without entries is written by checking that its verdicts rest on the newest block.
   * @returns false if told to give up: the outcome is unknown
   * @throws LostRaceError when another writer has appended; then nothing of the draft is in the journal
   */
  write: (work: Forming) => Promise<boolean>;
};

export type WriterOptions = {
  shard: string;
  /** The writer's term. */
  epoch: number;
  memory: ShardMemory;
  blocks: BlockStore;
  logger: Logger;
  givenUp: () => boolean;
};

export const createWriter = (options: WriterOptions): Writer => {
  const { shard, epoch, memory, blocks, logger, givenUp } = options;

  const append = async (work: Pick<Forming, 'at' | 'entries' | 'state'>, stop: () => boolean): Promise<boolean> => {
    const block = sealBlock(memory.tail(), { shard, epoch, at: work.at, body: encodeEntries(work.entries) });
    const stands = await appendBlock(blocks, block, logger, stop);
    if (stands === undefined) return false;
    if (!stands) throw new LostRaceError(`block ${block.n} was appended by another writer`);
    memory.accept(block, work.entries, work.state);
    return true;
  };

  /** @throws LostRaceError unless the last known block is the journal's last */
  const assertTail = async (): Promise<void> => {
    const { n } = memory.tail();
    if ((await within(ENGINE_TIMEOUT_MS, blocks.findProven(shard, n + 1))) !== undefined)
      throw new LostRaceError(`block ${n + 1} was appended by another writer`);
  };

  return {
    begin: (at) => append({ at, entries: [], state: createSpeculation(memory.pages) }, () => true),
    write: async (work) => {
      if (work.entries.length > 0) return append(work, givenUp);
      // An existing entry is in a durable block. A rejection rests on balances, which another writer may have changed.
      if (work.members.some(({ verdicts }) => verdicts.some(({ kind }) => kind === 'refused'))) await assertTail();
      return true;
    },
  };
};
