import { within } from '@florin/rpc/time';
import type { RunStore } from '../runs/run-store.ts';
import type { BlockStore, CheckpointStore, PageStore, Projections } from './ports.ts';

/** Longer than any healthy command, bulk writes on a loaded engine included. */
export const STORE_PATIENCE_MS = 10_000;

/** Longest wait for a command of the engine on which callers wait, who are answered within four seconds. Longer than any healthy write of a block. */
export const ENGINE_TIMEOUT_MS = 3000;

const bounded =
  <A extends unknown[], T>(ms: number, call: (...args: A) => Promise<T>) =>
  (...args: A): Promise<T> =>
    within(ms, call(...args));

const boundedSteps = <A extends unknown[], T>(ms: number, stream: (...args: A) => AsyncIterable<T>) =>
  async function* (...args: A): AsyncGenerator<T> {
    const steps = stream(...args)[Symbol.asyncIterator]();
    try {
      for (;;) {
        const step = await within(ms, steps.next());
        if (step.done === true) return;
        yield step.value;
      }
    } finally {
      // Not waited for: it would wait for the step that does not end.
      steps.return?.(undefined).catch(() => undefined);
    }
  };

export type JournalStores = {
  blocks: BlockStore;
  pages: PageStore;
  checkpoints: CheckpointStore;
  projections: Projections;
  runs: RunStore;
};

/**
 * The same stores with a bound on each call: an engine that hangs does not keep the journal from stopping. A call that was given up may
 * still happen later. That is harmless: blocks have their numbers, everything else only moves forward.
 */
export const boundStores = ({ blocks, pages, checkpoints, projections, runs }: JournalStores, ms: number): JournalStores => ({
  blocks: {
    insert: bounded(ms, blocks.insert),
    find: bounded(ms, blocks.find),
    findProven: bounded(ms, blocks.findProven),
    after: boundedSteps(ms, blocks.after),
    last: bounded(ms, blocks.last),
    time: bounded(ms, blocks.time),
  },
  pages: {
    versions: bounded(ms, pages.versions),
    find: bounded(ms, pages.find),
    save: bounded(ms, pages.save),
    all: boundedSteps(ms, pages.all),
  },
  checkpoints: {
    load: bounded(ms, checkpoints.load),
    claim: bounded(ms, checkpoints.claim),
    saveProjected: bounded(ms, checkpoints.saveProjected),
    savePaged: bounded(ms, checkpoints.savePaged),
  },
  projections: { save: bounded(ms, projections.save) },
  runs: {
    heads: bounded(ms, runs.heads),
    claim: bounded(ms, runs.claim),
    put: bounded(ms, runs.put),
    finish: bounded(ms, runs.finish),
    parts: bounded(ms, runs.parts),
    stored: bounded(ms, runs.stored),
    remove: bounded(ms, runs.remove),
    removeUnfinished: bounded(ms, runs.removeUnfinished),
  },
});
