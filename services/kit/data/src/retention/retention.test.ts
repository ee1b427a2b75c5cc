import { fakeClock, quietLogger, waitFor } from '@florin/rpc/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openStore, type Store } from '../store/index.ts';
import { testEngines } from '../testing/index.ts';
import { type RetentionRule, startRetention } from './index.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

let store: Store;
/** Behind the engine's, so that it can be advanced. */
const clock = fakeClock(new Date(Date.now() - 10 * DAY_MS));
const visits = () => store.connection.collection<{ _id: string; at: Date; ip?: string }>('visits');
beforeAll(async () => {
  const { mongodbUri: uri, database } = testEngines();
  store = await openStore({ uri, database, poolSize: 4, logger: quietLogger });
});
afterAll(async () => {
  await store.connection.dropDatabase();
  await store.close();
});

const insert = (count: number, name: string, at: Date) =>
  visits().insertMany(Array.from({ length: count }, (_, n) => ({ _id: `${name}-${n}`, at, ip: 'x' })));
beforeEach(async () => {
  await visits().deleteMany({});
});

const DELETE: RetentionRule = { collection: 'visits', keptMs: 30 * DAY_MS, due: (before) => ({ at: { $lt: before } }) };
const ERASE: RetentionRule = { ...DELETE, due: (before) => ({ at: { $lt: before }, ip: { $exists: true } }), erase: ['ip'] };

const applied = async (rules: readonly RetentionRule[], isDone: () => Promise<boolean>, runtime = clock) => {
  const running = startRetention({ connection: store.connection, rules, runtime, logger: quietLogger, intervalMs: 20 });
  await waitFor('the rules', async () => ((await isDone()) ? true : undefined));
  await running.close();
};

describe('retention', () => {
  it('deletes what is older than the time, in batches, and nothing else', async () => {
    await insert(1200, 'old', new Date(clock.now().getTime() - 31 * DAY_MS));
    await insert(10, 'new', new Date(clock.now().getTime() - 29 * DAY_MS));
    await applied([DELETE], async () => (await visits().countDocuments()) <= 10);
    expect(await visits().countDocuments()).toBe(10);
    clock.advanceSeconds(2 * 24 * 60 * 60);
    await applied([DELETE], async () => (await visits().countDocuments()) === 0);
  });

  it('erases fields and keeps the rest', async () => {
    await insert(600, 'old', new Date(clock.now().getTime() - 31 * DAY_MS));
    await insert(5, 'new', clock.now());
    await applied([ERASE], async () => (await visits().countDocuments({ ip: { $exists: true } })) <= 5);
    expect(await visits().countDocuments()).toBe(605);
    expect(await visits().countDocuments({ ip: 'x' })).toBe(5);
  });

  it('deletes and erases nothing before its time by a clock that is ahead', async () => {
    const ahead = fakeClock(new Date(Date.now() + 40 * DAY_MS));
    const ago = (days: number) => new Date(Date.now() - days * DAY_MS);
    await insert(3, 'old', ago(31));
    await insert(5, 'new', ago(29));
    for (const [rule, left] of [
      [ERASE, { ip: { $exists: true } }],
      [DELETE, {}],
    ] as const) {
      await applied([rule], async () => (await visits().countDocuments(left)) <= 5, ahead);
      expect(await visits().countDocuments(left)).toBe(5);
    }
  });

  it('applies the other rules when one fails', async () => {
    const failing: RetentionRule = { ...DELETE, due: () => ({ $unknown: 1 }) as object };
    await insert(3, 'old', new Date(clock.now().getTime() - 31 * DAY_MS));
    await applied([failing, DELETE], async () => (await visits().countDocuments()) === 0);
  });

  it('is applied by several replicas at once', async () => {
    await insert(1500, 'old', new Date(clock.now().getTime() - 31 * DAY_MS));
    await Promise.all([1, 2, 3].map(() => applied([DELETE], async () => (await visits().countDocuments()) === 0)));
  });
});
