import type { Logger } from '@florin/rpc/observe';
import { pause } from '@florin/rpc/time';
import type { BlockProjection } from '../domain/projection.ts';
import type { Backlog } from './backlog.ts';
import type { CheckpointStore, Projections } from './ports.ts';

const ENTRIES_PER_ROUND = 4000;
const MAX_PAUSE_MS = 2000;

/** Pause between two writes of the checkpoint: what is projected after the last one is projected again by the next start. */
const CHECKPOINT_MS = 250;

export type Projector = {
  /** Called when the backlog has grown. */
  kick: () => void;
  /** Waits until block n is projected, for at most `ms` milliseconds; returns whether it is. */
  reached: (n: number, ms: number) => Promise<boolean>;
  /** Finishes the running round and stops. The rest is projected by the next start. */
  close: () => Promise<void>;
};

type Waiter = { n: number; done: (reached: boolean) => void };

/**
 * Writes the projections behind the journal, in block order; what fails is retried. After a kill the next start repeats everything
 * after the checkpoint, which changes nothing that was written before.
 */
export const createProjector = (options: {
  shard: string;
  backlog: Backlog;
  projections: Projections;
  checkpoints: CheckpointStore;
  logger: Logger;
  projected: number;
  /** Called after each round that made the backlog smaller. */
  dropped: () => void;
}): Projector => {
  const { shard, backlog, projections, checkpoints, logger } = options;
  let projected = options.projected;
  let closed = false;
  let running: Promise<void> | undefined;
  let waiters: Waiter[] = [];
  let saving: NodeJS.Timeout | undefined;

  const saveCheckpoint = async (): Promise<void> => {
    try {
      await checkpoints.saveProjected(shard, projected);
    } catch (err) {
      // It only makes the next start longer, until the next checkpoint is written.
      logger.warn({ err, n: projected }, 'the checkpoint was not written');
    }
  };

  const project = async (blocks: readonly BlockProjection[], last: number): Promise<void> => {
    await projections.save(shard, blocks);
    projected = last;
    backlog.drop(last);
    options.dropped();
    for (const { done } of waiters.filter(({ n }) => n <= projected)) done(true);
    waiters = waiters.filter(({ n }) => n > projected);
    saving ??= setTimeout(() => {
      saving = undefined;
      void saveCheckpoint();
    }, CHECKPOINT_MS);
  };

  const run = async (): Promise<void> => {
    let failures = 0;
    for (;;) {
      const blocks = backlog.oldest(ENTRIES_PER_ROUND);
      const last = blocks.at(-1);
      if (closed || last === undefined) return;
      try {
        await project(blocks, last.n);
        failures = 0;
      } catch (err) {
        failures += 1;
        logger.warn({ err, n: last.n }, 'projecting failed, retrying');
        await pause(Math.min(50 * 2 ** Math.min(failures, 6), MAX_PAUSE_MS));
      }
    }
  };

  const kick = (): void => {
    if (closed || running !== undefined) return;
    running = run().finally(() => {
      running = undefined;
      // Handles blocks that arrived since the last check.
      if (backlog.size() > 0) kick();
    });
  };

  return {
    kick,
    reached: (n, ms) => {
      if (n <= projected) return Promise.resolve(true);
      return new Promise((resolve) => {
        const timer = setTimeout(() => {
          waiters = waiters.filter((candidate) => candidate !== waiter);
          resolve(false);
        }, ms);
        const waiter: Waiter = {
          n,
          done: (reached) => {
            clearTimeout(timer);
            resolve(reached);
          },
        };
        waiters.push(waiter);
      });
    },
    close: async () => {
      closed = true;
      for (const { done } of waiters.splice(0)) done(false);
      await running;
      if (saving === undefined) return;
      clearTimeout(saving);
      await saveCheckpoint();
    },
  };
};
