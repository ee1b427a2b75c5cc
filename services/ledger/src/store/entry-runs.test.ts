import { openStore } from '@florin/data/store';
import { quietLogger } from '@florin/rpc/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { InvariantError } from '../domain/invariant-error.ts';
import type { RunHead, RunStore } from '../runs/run-store.ts';
import { ledgerEnvironment } from '../testing/world.ts';
import { createRunStore, headDocument } from './entry-runs.ts';

const environment = ledgerEnvironment();
let store: Awaited<ReturnType<typeof openStore>>;
let runs: RunStore;
beforeAll(async () => {
  store = await openStore({
    uri: environment['MONGODB_URI'] ?? '',
    database: environment['MONGODB_DATABASE'] ?? '',
    poolSize: 4,
    logger: quietLogger,
  });
  runs = createRunStore(store.connection);
  await store.ready();
});
afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  await store.connection.dropDatabase();
  await store.close();
});

const PARTS = ['starts', 'tags', 'rows.0'];
let shards = 0;
const newShard = (): string => {
  shards += 1;
  return String(shards);
};
const headOf = (epoch: number): RunHead => ({ level: 0, from: 1, to: 9, epoch, entries: 3, tokens: [], touches: 0 });
const writeParts = (shard: string, head: RunHead) =>
  runs.put(
    shard,
    head,
    PARTS.map((name) => ({ name, data: Buffer.from(`${name} of term ${head.epoch}`) })),
  );
const collection = (name: 'EntryRun' | 'EntryRunPart') => store.connection.model(name).collection;
/** Does something just before a command of the engine, once. */
const before = (name: 'EntryRun' | 'EntryRunPart', command: 'deleteMany' | 'deleteOne', work: () => Promise<unknown>): void => {
  const target = collection(name);
  const real = target[command].bind(target) as (...args: unknown[]) => Promise<never>;
  vi.spyOn(target, command).mockImplementationOnce(async (...args: unknown[]) => {
    await work();
    return real(...args);
  });
};
/** Terms whose parts the shard's finished runs have, run by run. */
const finished = async (shard: string): Promise<string[][]> => {
  const found: string[][] = [];
  for (const head of await runs.heads(shard)) {
    const parts = await runs.parts(shard, '0:1-9', PARTS);
    found.push(PARTS.map((name) => parts.get(name)?.toString() ?? `${name} is missing of term ${head.epoch}`));
  }
  return found;
};
const allOf = (epoch: number): string[] => PARTS.map((name) => `${name} of term ${epoch}`);

describe('a run of entries', () => {
  it('is not finished by its writer once a later term has begun to remove it', async () => {
    const shard = newShard();
    await runs.claim(shard, headOf(1));
    await writeParts(shard, headOf(1));
    let isFinished: boolean | undefined;
    before('EntryRunPart', 'deleteMany', async () => {
      isFinished = await runs.finish(shard, headOf(1));
    });
    await runs.removeUnfinished(shard, 2);
    expect(isFinished).toBe(false);
    expect(await finished(shard)).toEqual([]);
    expect(await collection('EntryRunPart').countDocuments({ _id: { $regex: `^${shard}:` } as never })).toBe(0);
  });

  it('stays whole when its writer finishes it before a later term begins to remove it', async () => {
    const shard = newShard();
    await runs.claim(shard, headOf(1));
    await writeParts(shard, headOf(1));
    const heads = collection('EntryRun');
    const update = heads.updateOne.bind(heads) as (...args: unknown[]) => Promise<never>;
    vi.spyOn(heads, 'updateOne').mockImplementationOnce(async (...args: unknown[]) => {
      expect(await runs.finish(shard, headOf(1))).toBe(true);
      return update(...args);
    });
    await runs.removeUnfinished(shard, 2);
    expect(await finished(shard)).toEqual([allOf(1)]);
  });

  it('is removed by the next term when a removal was killed', async () => {
    const shard = newShard();
    await runs.claim(shard, headOf(1));
    await writeParts(shard, headOf(1));
    before('EntryRun', 'deleteOne', async () => {
      throw new Error('killed');
    });
    await expect(runs.removeUnfinished(shard, 2)).rejects.toThrow('killed');
    expect(await runs.finish(shard, headOf(1))).toBe(false);
    await runs.removeUnfinished(shard, 3);
    expect(await collection('EntryRun').countDocuments({ shard })).toBe(0);
  });

  it.each([
    ['claim of the same run', (shard: string) => runs.claim(shard, headOf(2))],
    ['removal', (shard: string) => runs.removeUnfinished(shard, 2)],
  ])('keeps its parts when a %s by an earlier term arrives late', async (_name, late) => {
    const shard = newShard();
    await runs.claim(shard, headOf(1));
    await writeParts(shard, headOf(1));
    before('EntryRunPart', 'deleteMany', async () => {
      await runs.removeUnfinished(shard, 3);
      await runs.claim(shard, headOf(3));
      await writeParts(shard, headOf(3));
      expect(await runs.finish(shard, headOf(3))).toBe(true);
    });
    await late(shard);
    expect(await finished(shard)).toEqual([allOf(3)]);
  });

  it('is read by its checksum, with the digest or as earlier versions have left it out, and not when it has lost the digest', async () => {
    const shard = newShard();
    const head = { ...headOf(1), digest: 'digest' };
    await runs.claim(shard, head);
    await runs.finish(shard, head);
    const change = (update: object) => collection('EntryRun').updateOne({ shard }, update);
    expect(await runs.heads(shard)).toEqual([head]);
    await change({ $unset: { digest: '' } });
    await expect(runs.heads(shard)).rejects.toThrow(InvariantError);
    await change({ $set: { sum: headDocument(shard, headOf(1)).sum } });
    expect(await runs.heads(shard)).toEqual([headOf(1)]);
    await change({ $set: { digest: 'digest' } });
    expect(await runs.heads(shard)).toEqual([head]);
  });

  it('is not made again in the place that a merge has freed', async () => {
    const shard = newShard();
    const write = async (head: RunHead): Promise<boolean> => {
      if (!(await runs.claim(shard, head))) return false;
      await writeParts(shard, head);
      return runs.finish(shard, head);
    };
    const [first, second, merged] = [headOf(2), { ...headOf(2), from: 10, to: 19 }, { ...headOf(2), level: 1, to: 19 }];
    for (const head of [first, second, merged]) expect(await write(head)).toBe(true);
    for (const head of [first, second]) await runs.remove(shard, head);
    // A writer that was replaced has other borders, and works on.
    for (const late of [headOf(1), { ...headOf(3), from: 10, to: 25 }]) expect(await runs.claim(shard, late)).toBe(false);
    expect(await collection('EntryRun').countDocuments({ shard })).toBe(1);
    expect(await write({ ...headOf(1), from: 20, to: 29 })).toBe(true);
  });

  it('has only parts of its writer, also when those of an earlier term arrive late', async () => {
    const shard = newShard();
    await runs.claim(shard, headOf(1));
    await runs.claim(shard, headOf(2));
    await writeParts(shard, headOf(1));
    await writeParts(shard, headOf(2));
    await writeParts(shard, headOf(1));
    expect(await runs.finish(shard, headOf(2))).toBe(true);
    expect(await finished(shard)).toEqual([allOf(2)]);
  });
});
