import { quietLogger } from '@florin/rpc/testing';
import { expect, it } from 'vitest';
import { accountOpened } from '../domain/account-change.ts';
import { entriesOf } from '../domain/block.ts';
import { openJournal } from '../journal/journal.ts';
import { endAfter, LostRaceError } from '../journal/writer-state.ts';
import { createMemoryStores, type MemoryStores } from '../testing/memory-stores.ts';
import { createEntryIndex } from './entry-index.ts';
import { createIndexer, openRuns } from './indexer.ts';
import { recentBlock } from './recent-block.ts';
import type { RunStore } from './run-store.ts';

const SHARD = '0';
const RUNS = { runEntries: 2, runsPerMerge: 3 };

/** Stores with runs of level 0 that nobody has merged. */
const createStores = async () => {
  const stores = createMemoryStores();
  const journal = await openJournal({
    shard: SHARD,
    epoch: 1,
    ...stores,
    runtime: { now: () => new Date() },
    monotonicMs: () => performance.now(),
    logger: quietLogger,
    maxBlockEntries: 2,
    maxQueue: 100,
    runEntries: RUNS.runEntries,
    runsPerMerge: 1000,
    maxAccounts: 100,
    refreshMs: 3_600_000,
    projectionWaitMs: 2000,
  });
  for (let index = 0; index < 20; index += 1) await journal.append([accountOpened(`account${index}`)]);
  while ((await stores.runs.heads(SHARD)).length < RUNS.runsPerMerge) await new Promise((resolve) => setImmediate(resolve));
  await journal.close();
  return stores;
};

/** Opens the runs for a term, and begins to merge them. */
const startMerge = async (stores: MemoryStores, runs: RunStore, epoch: number) => {
  const ends: unknown[] = [];
  const index = createEntryIndex({ shard: SHARD, blocks: stores.blocks, runs });
  const options = { shard: SHARD, epoch, runs, ...RUNS };
  await openRuns(options, index);
  const endsWith = (error: unknown): boolean => {
    if (endAfter(error) !== undefined) ends.push(error);
    return endAfter(error) !== undefined;
  };
  const indexer = createIndexer({ ...options, index, logger: quietLogger, dropped: () => undefined, endsWith });
  indexer.kick();
  return { index, indexer, ends, levels: () => index.runs.all().map(({ head }) => head.level) };
};
const becomes = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
};

it('ends the term when a later one has claimed the merge of the same runs', async () => {
  const stores = await createStores();
  let claims = 0;
  const runs: RunStore = {
    ...stores.runs,
    claim: async () => {
      claims += 1;
      return false;
    },
  };
  const { indexer, ends, levels } = await startMerge(stores, runs, 2);
  await becomes(() => ends.length > 0);
  await indexer.close();
  expect(ends).toEqual([expect.any(LostRaceError)]);
  expect(claims).toBe(1);
  expect(levels()).not.toContain(1);
});

it('takes over what another writer has merged', async () => {
  const stores = await createStores();
  const runs: RunStore = {
    ...stores.runs,
    claim: async (shard, run) => {
      const other = await startMerge(stores, stores.runs, 3);
      await becomes(() => other.levels().includes(1));
      await other.indexer.close();
      return stores.runs.claim(shard, run);
    },
  };
  const { indexer, ends, levels } = await startMerge(stores, runs, 2);
  await becomes(() => levels().includes(1));
  await indexer.close();
  expect(ends).toEqual([]);
});

it('moves entries into runs while a merge is under way, and keeps both', async () => {
  const stores = await createStores();
  const merged = Promise.withResolvers<void>();
  let isMerging = false;
  const runs: RunStore = {
    ...stores.runs,
    // The end of a merge waits.
    finish: async (shard, head) => {
      isMerging ||= head.level > 0;
      if (head.level > 0) await merged.promise;
      return stores.runs.finish(shard, head);
    },
  };
  const { index, indexer } = await startMerge(stores, runs, 2);
  const before = index.runs.covered();
  await becomes(() => isMerging);
  for await (const block of stores.blocks.after(SHARD, before)) index.push(recentBlock(block, entriesOf(block)));
  expect(index.size()).toBeGreaterThan(RUNS.runEntries);
  indexer.kick();
  while (index.size() >= RUNS.runEntries) await new Promise((resolve) => setImmediate(resolve));
  expect(index.runs.all().every(({ head }) => head.level === 0)).toBe(true);
  merged.resolve();
  while (!index.runs.all().some(({ head }) => head.level === 1)) await new Promise((resolve) => setImmediate(resolve));
  await indexer.close();
  expect(index.runs.covered()).toBeGreaterThan(before);
  const heads = index.runs.all().map(({ head }) => head);
  expect(heads.slice(1).map(({ from }) => from)).toEqual(heads.slice(0, -1).map(({ to }) => to + 1));
});

it('gives a merge up when it is closed, and a later term makes it anew', async () => {
  const stores = await createStores();
  let isMerging = false;
  const runs: RunStore = {
    ...stores.runs,
    claim: async (shard, run) => {
      isMerging ||= run.level > 0;
      return stores.runs.claim(shard, run);
    },
  };
  const merge = async (epoch: number, isEnough: (levels: readonly number[]) => boolean): Promise<number[]> => {
    const { indexer, levels } = await startMerge(stores, runs, epoch);
    await becomes(() => isEnough(levels()));
    await indexer.close();
    return levels();
  };
  expect(await merge(2, () => isMerging)).not.toContain(1);
  const heads = await stores.runs.heads(SHARD);
  expect(await merge(3, (levels) => levels.includes(1))).toContain(1);
  const after = await stores.runs.heads(SHARD);
  expect([after[0]?.from, after.at(-1)?.to]).toEqual([heads[0]?.from, heads.at(-1)?.to]);
});

it.each(['directory', 'rows.0', 'positions.0'])('keeps what a merged run was made from while that run lacks %s', async (missing) => {
  const stores = await createStores();
  const before = await stores.runs.heads(SHARD);
  let isKilled = false;
  const runs: RunStore = {
    ...stores.runs,
    // The merged run is finished, and what it was made from not removed yet.
    remove: async () => {
      isKilled = true;
      throw new Error('killed');
    },
  };
  const { indexer } = await startMerge(stores, runs, 2);
  await becomes(() => isKilled);
  await indexer.close();
  const damaged: RunStore = {
    ...stores.runs,
    parts: async (shard, run, names) =>
      stores.runs.parts(
        shard,
        run,
        names.filter((name) => !run.startsWith('1:') || name !== missing),
      ),
    stored: async (shard, run, names) => {
      const found = await stores.runs.stored(shard, run, names);
      if (run.startsWith('1:')) found.delete(missing);
      return found;
    },
  };
  const open = (store: RunStore) =>
    openRuns({ shard: SHARD, epoch: 3, runs: store }, createEntryIndex({ shard: SHARD, blocks: stores.blocks, runs: store }));
  await expect(open(damaged)).rejects.toThrow(`lacks ${missing}`);
  expect((await stores.runs.heads(SHARD)).filter(({ level }) => level === 0)).toEqual(before);
  await open(stores.runs);
  const heads = await stores.runs.heads(SHARD);
  expect(heads.map(({ level }) => level).slice(0, 1)).toEqual([1]);
  expect([heads[0]?.from, heads.at(-1)?.to]).toEqual([before[0]?.from, before.at(-1)?.to]);
});
