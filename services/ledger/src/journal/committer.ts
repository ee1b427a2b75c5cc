import { pause, within } from '@florin/rpc/time';
import type { Intent } from '../domain/draft-block.ts';
import { ENGINE_TIMEOUT_MS } from './bounded-stores.ts';
import { createDrafter, type DrafterOptions } from './drafter.ts';
import { type Forming, rejectDraft, settleDraft } from './forming.ts';
import { createQueue, rejected, type Waiting } from './queue.ts';
import { createTerm, type TermOptions } from './term.ts';
import { createWriter, type WriterOptions } from './writer.ts';
import { LostRaceError, type WriterState } from './writer-state.ts';

type Loop = {
  /** Starts the work unless it is running or has nothing to do. */
  kick: () => void;
  /** Settles when the work that is running now has ended. */
  idle: () => Promise<void>;
};

/** Repeats work while there is any; runs never overlap. */
const createLoop = (hasWork: () => boolean, work: () => Promise<void>): Loop => {
  let running: Promise<void> | undefined;
  const kick = (): void => {
    if (running !== undefined || !hasWork()) return;
    running = work().finally(() => {
      running = undefined;
      kick();
    });
  };
  return { kick, idle: async () => running };
};

/** Pause before something that failed is retried. */
const RETRY_MS = 100;

export type Committer = {
  /** Begins the term: appends its first block. @throws LostRaceError, ClockSkewError, and what the stores raise */
  open: () => Promise<void>;
  /** Rejected with CodedError SERVICE_UNAVAILABLE; a repeat then finds out what happened. */
  commit: (intents: readonly Intent[]) => Waiting;
  /** Continues after something that it waited for has changed. */
  kick: () => void;
  /** Makes sure that no other writer has appended. @throws CodedError SERVICE_UNAVAILABLE when one has, and the term is over */
  assertTail: () => Promise<void>;
  /** Ends the term when an error of what is written behind the journal says so. @returns false when the error is temporary */
  endsWith: (error: unknown) => boolean;
  /** Ends the term when the clock disagrees with the engine's, also while nothing is to be written. */
  checkClock: () => void;
  state: () => WriterState;
  /** Intents that wait for a block. */
  waiting: () => number;
  /** How long nothing was written although something waits for it, in milliseconds. */
  stuckMs: () => number;
  /** Finishes the write under way; what has not begun is rejected. */
  close: () => Promise<void>;
};

export type CommitterOptions = Omit<DrafterOptions, 'queue' | 'writing'> &
  Omit<WriterOptions, 'givenUp'> &
  TermOptions & {
    /** Most intents that wait for a block. */
    maxQueue: number;
    /** Called with the number of entries of each block, and the milliseconds that its write took. */
    measureBlock?: ((entries: number, ms: number) => void) | undefined;
    /** Called after each block that was appended. */
    appended: () => void;
  };

/**
 * Turns intents into blocks (group commit). While a block is being written, the intents that arrive are judged against the balances
 * that it will leave behind, and become the next block together: drafting and writing overlap, writing itself is sequential. Nothing
 * is answered, not even a refusal, before it rests on durable blocks. Its states are those of `writer-state.ts`.
 */
export const createCommitter = (options: CommitterOptions): Committer => {
  const { shard, epoch, memory, blocks, clock } = options;
  let writing: Forming | undefined;
  /** The write of `writing`. */
  let appending = Promise.resolve();
  /** When a block was written last, or something began to wait for one. */
  let movedAt = 0;
  const queue = createQueue(options.maxQueue);
  const { state, isOver, standing, unavailable, become, endsWith, failed, check } = createTerm({
    ...options,
    ended: (end, error) => {
      queue.rejectAll(standing());
      options.ended(end, error);
    },
  });
  const drafter = createDrafter({ ...options, queue, writing: () => writing });
  const writer = createWriter({ ...options, givenUp: isOver });

  const append = async (work: Forming): Promise<void> => {
    try {
      const began = performance.now();
      if (!(await writer.write(work))) return rejectDraft(work, standing());
      movedAt = performance.now();
      options.measureBlock?.(work.entries.length, performance.now() - began);
      drafter.rebase();
      memory.pages.done(work.round);
      settleDraft(work);
      if (work.entries.length > 0) options.appended();
    } catch (error) {
      failed(error);
      // After a lost race nothing of it is in the journal; a check of the tail that failed leaves the verdicts unknown.
      rejectDraft(work, 'the block was not written');
    }
  };

  const writes = createLoop(drafter.isForming, async () => {
    const work = drafter.take();
    if (work === undefined) return;
    if (isOver()) return rejectDraft(work, standing());
    writing = work;
    appending = append(work);
    await appending;
    writing = undefined;
    drafts.kick();
  });

  const drafts = createLoop(
    () => state() === 'open' && drafter.canStep(),
    async () => {
      try {
        await drafter.step();
      } catch (error) {
        failed(error);
        if (isOver()) queue.rejectAll(standing());
        else await pause(RETRY_MS);
      } finally {
        writes.kick();
      }
    },
  );

  return {
    waiting: queue.size,
    stuckMs: () => {
      const waits = writing !== undefined || queue.size() > 0;
      // Behind a backlog the owner is no slower than another one would be.
      return waits && state() === 'open' && memory.hasRoom() ? performance.now() - movedAt : 0;
    },
    open: async () => {
      try {
        if (memory.lastEpoch() >= epoch) throw new LostRaceError(`shard ${shard} has a block of term ${memory.lastEpoch()}`);
        if (!(await writer.begin(clock.sealingTime(memory.tail().at)))) throw unavailable();
        become('open');
        options.appended();
      } catch (error) {
        failed(error);
        throw error;
      }
    },
    commit: (intents) => {
      if (state() !== 'open') return rejected(standing());
      if (writing === undefined && queue.size() === 0) movedAt = performance.now();
      const waiting = queue.add(intents);
      drafts.kick();
      return waiting;
    },
    kick: drafts.kick,
    assertTail: async () => {
      for (;;) {
        if (state() !== 'open') throw unavailable();
        const { n } = memory.tail();
        const next = await within(ENGINE_TIMEOUT_MS, blocks.findProven(shard, n + 1));
        if (next === undefined) return;
        // Blocks beyond the tail may be the one that is being written, or has been written by now.
        await appending;
        if (memory.tail().n === n) become('lost', new LostRaceError(`block ${next.n} was appended by another writer`));
      }
    },
    endsWith,
    checkClock: () => check(() => clock.sealingTime(memory.tail().at)),
    state,
    close: async () => {
      become('closed');
      await drafts.idle();
      await writes.idle();
      queue.rejectAll(standing());
    },
  };
};
