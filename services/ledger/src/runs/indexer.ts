import type { Logger } from '@florin/rpc/observe';
import { pause } from '@florin/rpc/time';
import { LostRaceError } from '../journal/writer-state.ts';
import { collectRun } from './collect-run.ts';
import type { EntryIndex } from './entry-index.ts';
import { mergeRuns } from './merge-runs.ts';
import type { RecentBlock } from './recent-block.ts';
import { assertWhole, openRun, type Run, RunGoneError } from './run.ts';
import { removeReplaced } from './run-list.ts';
import type { RunStore } from './run-store.ts';
import { type RunContent, writeRun } from './write-run.ts';

const MAX_PAUSE_MS = 2000;

export type IndexerOptions = {
  shard: string;
  /** Term of the writer. */
  epoch: number;
  runs: RunStore;
  /** Entries of a run of level 0, give or take a block. */
  runEntries: number;
  /** Runs of level 0 that become one of level 1. */
  runsPerMerge: number;
};

/** Writes a run unless another writer has it. @returns the run, once it is finished */
export const makeRun = async (
  { shard, runs }: Pick<IndexerOptions, 'shard' | 'runs'>,
  { head, content }: { head: Run['head']; content: RunContent },
): Promise<Run | undefined> => {
  if (!(await runs.claim(shard, head))) return undefined;
  return openRun(runs, shard, await writeRun(runs, shard, head, content));
};

export type Indexer = {
  /** Called when entries have arrived. */
  kick: () => void;
  /** Finishes the run that is being written, but not a merge. */
  close: () => Promise<void>;
};

/** Ends a merge when its journal is closed: it takes longer than a process may take to stop. The next term begins it anew. */
class StoppedError extends Error {
  override readonly name = 'StoppedError';
}

const until = async function* <T>(signal: AbortSignal, items: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T, void, undefined> {
  for await (const item of items) {
    signal.throwIfAborted();
    yield item;
  }
};

type IndexerParts = {
  index: EntryIndex;
  logger: Logger;
  /** Called after entries have left the memory. */
  dropped: () => void;
  /** Ends the term of writing when an error says so. @returns false when the error is temporary */
  endsWith: (error: unknown) => boolean;
};

/** Repeats a step, one at a time, until it reports that nothing was left to do; then again when it is kicked. */
const createWorker = (
  { shard, index, logger, endsWith }: Omit<IndexerParts, 'dropped'> & Pick<IndexerOptions, 'shard'>,
  step: () => Promise<boolean>,
): Indexer => {
  let closed = false;
  let kicked = false;
  let running: Promise<void> | undefined;

  const run = async (): Promise<void> => {
    let failures = 0;
    while (!closed) {
      try {
        kicked = false;
        if (!(await step())) return;
        failures = 0;
      } catch (err) {
        if (err instanceof StoppedError || endsWith(err)) return;
        if (err instanceof RunGoneError) await index.runs.load().catch(() => undefined);
        failures += 1;
        logger.warn({ err, shard }, 'writing runs of entries failed, retrying');
        await pause(Math.min(50 * 2 ** Math.min(failures, 6), MAX_PAUSE_MS));
      }
    }
  };

  const kick = (): void => {
    kicked = true;
    if (closed || running !== undefined) return;
    running = run().finally(() => {
      running = undefined;
      // Entries came in between the last look and now.
      if (kicked) kick();
    });
  };

  return {
    kick,
    close: async () => {
      closed = true;
      await running;
    },
  };
};

/**
 * Moves entries from memory into runs, and merges runs, in the background. A kill in between leaves the entries in their blocks, from
 * which the next start takes them, and the runs that were to be merged. A run that a later term has claimed ends the term.
 */
export const createIndexer = (options: IndexerOptions & IndexerParts): Indexer => {
  const { shard, epoch, runs, runEntries, runsPerMerge, index, dropped } = options;
  const list = index.runs;
  const stopping = new AbortController();

  const indexOldest = async (blocks: readonly RecentBlock[]): Promise<void> => {
    const run = await makeRun(options, await collectRun(blocks, epoch));
    // Another writer was first: what it has written is taken over.
    if (run === undefined) await list.load();
    else list.add(run);
    if (list.covered() < (blocks[0]?.n ?? 0)) throw new LostRaceError(`a run of shard ${shard} is being written by another writer`);
    index.drop();
    dropped();
  };

  const merge = async (oldest: readonly Run[]): Promise<void> => {
    const { head, content } = await mergeRuns(runs, shard, oldest, epoch);
    const run = await makeRun(options, { head, content: { ...content, groups: until(stopping.signal, content.groups) } });
    if (run === undefined) {
      await list.load();
      const names = new Set(list.all().map(({ name }) => name));
      if (oldest.every(({ name }) => names.has(name))) throw new LostRaceError(`runs of shard ${shard} are being merged by another writer`);
      return;
    }
    await assertWhole(runs, shard, run);
    for (const { head } of list.add(run)) await runs.remove(shard, head);
  };

  const indexing = createWorker(options, async () => {
    const blocks = index.oldest(runEntries);
    if (blocks.length === 0) return false;
    await indexOldest(blocks);
    merging.kick();
    return true;
  });
  // Beside the indexing: a merge takes longer than the memory lasts for entries that are in no run.
  const merging = createWorker(options, async () => {
    const young = list.all().filter(({ head }) => head.level === 0);
    if (young.length < runsPerMerge) return false;
    await merge(young.slice(0, runsPerMerge));
    return true;
  });

  return {
    kick: () => {
      indexing.kick();
      merging.kick();
    },
    close: async () => {
      stopping.abort(new StoppedError());
      await Promise.all([indexing.close(), merging.close()]);
    },
  };
};

/** Loads the runs of a shard for a new writer, and removes what earlier ones have left. @throws InvariantError */
export const openRuns = async (
  { shard, epoch, runs }: Pick<IndexerOptions, 'shard' | 'epoch' | 'runs'>,
  index: EntryIndex,
): Promise<void> => {
  await runs.removeUnfinished(shard, epoch);
  await index.runs.load();
  await removeReplaced(runs, shard, index.runs);
};
