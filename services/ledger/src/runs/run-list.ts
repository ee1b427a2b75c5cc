import { InvariantError } from '../domain/invariant-error.ts';
import type { IdTable } from './id-table.ts';
import { openAhead } from './open-ahead.ts';
import { assertWhole, openRun, type Run, RunGoneError } from './run.ts';
import { createRunKeys } from './run-keys.ts';
import { type RunHead, type RunStore, runName } from './run-store.ts';

const MAX_LOADS = 5;

/** The runs that count: those that a run of a higher level has taken the place of left out. */
const inForce = (heads: readonly RunHead[]): { runs: RunHead[]; replaced: RunHead[] } => {
  const runs: RunHead[] = [];
  const replaced: RunHead[] = [];
  for (const head of heads) {
    const last = runs.at(-1);
    if (last !== undefined && head.to <= last.to) replaced.push(head);
    else if (last !== undefined && head.from !== last.to + 1)
      throw new InvariantError(`runs of entries have a gap before block ${head.from}`);
    else runs.push(head);
  }
  return { runs, replaced };
};

/** A shard's runs, each block in exactly one. */
export type RunList = {
  /** Oldest first. */
  all: () => readonly Run[];
  /** Reports whether one of them may have an id with this key (`entryKey`). */
  has: (key: number) => boolean;
  /** The last block that is in a run; 0 without runs. */
  covered: () => number;
  /** Reads the list again, after another writer has changed it. @throws InvariantError */
  load: () => Promise<void>;
  /** Takes in a run that was finished just now, in the place of those that it covers. @returns those */
  add: (run: Run) => Run[];
  /** Repeats work on the runs when one of them was replaced in the middle of it. */
  steadily: <T>(work: () => Promise<T>) => Promise<T>;
};

const entriesOf = (heads: Iterable<RunHead>): number => {
  let entries = 0;
  for (const head of heads) entries += head.entries;
  return entries;
};

const isSame = (one: readonly Run[], other: readonly Run[]): boolean =>
  one.length === other.length && one.every(({ name }, index) => name === other[index]?.name);

export const createRunList = (store: RunStore, shard: string): RunList => {
  let runs: readonly Run[] = [];
  let tables: readonly IdTable[] = [];
  let keys = createRunKeys();
  const become = (next: readonly Run[]): void => {
    runs = next;
    tables = next.map(({ table }) => table);
  };
  const load = async (): Promise<void> => {
    for (let loads = 1; ; loads += 1) {
      try {
        const before = runs;
        const known = new Map(before.map((run) => [run.name, run]));
        const next: Run[] = [];
        const heads = inForce(await store.heads(shard)).runs;
        const nextKeys = createRunKeys(entriesOf(heads));
        const open = async (head: RunHead): Promise<Run> => known.get(runName(head)) ?? openRun(store, shard, head);
        for await (const run of openAhead(heads, open)) {
          nextKeys.add(run.table);
          next.push(run);
        }
        // A run that was added meanwhile may not have been among them: it would be forgotten.
        if (runs !== before) continue;
        become(next);
        keys = nextKeys;
        return;
      } catch (error) {
        // Another writer has merged it meanwhile.
        if (!(error instanceof RunGoneError) || loads === MAX_LOADS) throw error;
      }
    }
  };
  return {
    all: () => runs,
    has: (key) => keys.has(key, tables),
    covered: () => runs.at(-1)?.head.to ?? 0,
    load,
    add: (run) => {
      const replaced = runs.filter(({ head }) => head.from >= run.head.from && head.to <= run.head.to);
      const kept = runs.filter((one) => !replaced.includes(one));
      // A merge has the ids of what it takes the place of.
      const isKnown = entriesOf(replaced.map(({ head }) => head)) === run.head.entries;
      become([...kept, run].sort((a, b) => a.head.from - b.head.from));
      if (isKnown) return replaced;
      keys.add(run.table);
      keys.grow(tables);
      return replaced;
    },
    steadily: async (work) => {
      for (;;) {
        const before = runs;
        try {
          return await work();
        } catch (error) {
          if (!(error instanceof RunGoneError)) throw error;
          await load();
          // Merges may come one after the other. A run that is missing from an unchanged list has lost its content.
          if (isSame(before, runs)) throw error;
        }
      }
    },
  };
};

/**
 * Removes the runs that the listed ones have taken the place of, which a kill has left. @param list read from the store just now
 * @throws RunGoneError when a run lacks a part; then those that it was made from stay
 */
export const removeReplaced = async (store: RunStore, shard: string, list: RunList): Promise<void> => {
  const { replaced } = inForce(await store.heads(shard));
  for (const run of list.all()) {
    const sources = replaced.filter(({ from, to }) => run.head.from <= from && to <= run.head.to);
    if (sources.length > 0) await assertWhole(store, shard, run);
    for (const head of sources) await store.remove(shard, head);
  }
};
