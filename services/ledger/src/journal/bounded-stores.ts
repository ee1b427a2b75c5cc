import { within } from '@florin/kit/time';
import type { BlockStore, CheckpointStore, PageStore, Projections } from './ports.ts';

/** Longer than any healthy command, bulk writes on a loaded engine included. */
const PATIENCE_MS = 10_000;

const bounded =
  <A extends unknown[], T>(call: (...args: A) => Promise<T>) =>
  (...args: A): Promise<T> =>
    within(PATIENCE_MS, call(...args));

const boundedSteps = <A extends unknown[], T>(stream: (...args: A) => AsyncIterable<T>) =>
  async function* (...args: A): AsyncGenerator<T> {
    const steps = stream(...args)[Symbol.asyncIterator]();
    try {
      for (;;) {
        const step = await within(PATIENCE_MS, steps.next());
        if (step.done === true) return;
        yield step.value;
      }
    } finally {
      // Not waited for: it would wait for the step that does not end.
      steps.return?.(undefined).catch(() => undefined);
    }
  };

export type JournalStores = { blocks: BlockStore; pages: PageStore; checkpoints: CheckpointStore; projections: Projections };

/**
 * The same stores, of which none lets the journal wait for ever: an engine that hangs must not keep it from stopping. A call that was
 * given up may still happen later. No write minds: blocks have their numbers, the others only move forward.
 */
export const boundStores = ({ blocks, pages, checkpoints, projections }: JournalStores): JournalStores => ({
  blocks: { insert: bounded(blocks.insert), find: bounded(blocks.find), after: boundedSteps(blocks.after), last: bounded(blocks.last) },
  pages: { find: bounded(pages.find), save: bounded(pages.save), all: boundedSteps(pages.all) },
  checkpoints: {
    load: bounded(checkpoints.load),
    saveProjected: bounded(checkpoints.saveProjected),
    savePaged: bounded(checkpoints.savePaged),
  },
  projections: { save: bounded(projections.save), findEntries: bounded(projections.findEntries) },
});
