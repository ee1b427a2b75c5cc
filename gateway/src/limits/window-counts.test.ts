import { createHmac, randomUUID } from 'node:crypto';
import { openRedis, type Redis } from '@florin/data/redis';
import { startRedisRelay, testEngines } from '@florin/data/testing';
import { quietLogger, waitFor } from '@florin/rpc/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSharedCounts, type SharedCounts } from './shared-counts.ts';
import { createWindowCounts, WINDOW_MS } from './window-counts.ts';

const HASH_KEY = new Uint8Array(32);

let redis: Redis;
beforeAll(async () => {
  redis = await openRedis(testEngines().redisUrl, quietLogger);
});
afterAll(() => redis.destroy());

const start = (options: { limit: number; shared?: SharedCounts; now?: () => number }) =>
  createWindowCounts({ name: 'test', hashKey: HASH_KEY, logger: quietLogger, now: () => 0, ...options });

const hashOf = (subject: string): string => createHmac('sha256', HASH_KEY).update(subject).digest('base64url');

describe('counts of one process', () => {
  it('admit as many requests as the limit in each window', async () => {
    let time = 1_000_000;
    const counts = start({ limit: 3, now: () => time });
    const take = async () => (await counts.take('a')).admitted;
    expect([await take(), await take(), await take(), await take()]).toEqual([true, true, true, false]);
    expect((await counts.take('b')).admitted).toBe(true);
    const { secondsLeft } = (await counts.take('a')).count;
    time += secondsLeft * 1000 - 1000;
    expect(await take()).toBe(false);
    time += 1000;
    expect(await take()).toBe(true);
  });

  it('report what is left and when the window ends', async () => {
    const counts = start({ limit: 2 });
    const { count } = await counts.take('a');
    expect(count.left).toBe(1);
    expect(count.secondsLeft).toBeGreaterThan(0);
    expect(count.secondsLeft).toBeLessThanOrEqual(WINDOW_MS / 1000);
    expect((await counts.take('b')).count.partition).not.toBe(count.partition);
  });
});

describe('counts of several processes', () => {
  it.each([
    ['two processes', 2, 600],
    ['three processes', 3, 100],
    ['a small limit', 2, 5],
  ])('exceed the limit by no more than the documented bound: %s', async (_what, processes, limit) => {
    const all = Array.from({ length: processes }, () => start({ limit, shared: createSharedCounts(redis) }));
    const subject = randomUUID();
    let admitted = 0;
    const knock = async (counts: (typeof all)[number]): Promise<void> => {
      for (let request = 0; request < limit; request += 1) if ((await counts.take(subject)).admitted) admitted += 1;
    };
    // Sixteen callers at each process.
    await Promise.all(all.flatMap((counts) => Array.from({ length: 16 }, () => knock(counts))));
    expect(admitted).toBeGreaterThanOrEqual(limit);
    expect(admitted).toBeLessThanOrEqual(limit + (processes - 1) * Math.max(1, limit * 0.02));
    for (const counts of all) expect((await counts.take(subject)).admitted).toBe(false);
  });

  it('reach a process that only serves few requests', async () => {
    const [busy, quiet] = [
      start({ limit: 100, shared: createSharedCounts(redis) }),
      start({ limit: 100, shared: createSharedCounts(redis) }),
    ];
    const subject = randomUUID();
    for (let request = 0; request < 90; request += 1) await busy.take(subject);
    await waitFor('the settlement', async () => ((await quiet.take(subject)).count.left < 10 ? true : undefined));
  });

  it('settle many subjects in few commands, which expire', async () => {
    let commands = 0;
    const shared = createSharedCounts(redis);
    const counted: SharedCounts = {
      add: (additions, windowMs) => {
        commands += 1;
        return shared.add(additions, windowMs);
      },
    };
    const counts = start({ limit: 600, shared: counted });
    const subjects = Array.from({ length: 1200 }, () => randomUUID());
    for (const subject of subjects) expect(counts.take(subject)).not.toBeInstanceOf(Promise);
    const key = `florin:gateway:rate:test:${hashOf(subjects.at(-1) ?? '')}`;
    await waitFor('the settlement', async () => ((await redis.exists(key)) === 1 ? true : undefined));
    expect(commands).toBe(1);
    expect(await redis.pTTL(key)).toBeGreaterThan(0);
  });
});

describe('counts in a Redis that somebody else writes', () => {
  it.each<[string, (key: string) => Promise<unknown>]>([
    ['takes them away', (key) => redis.del(key)],
    ['sets them back', (key) => redis.set(key, '-1000', { expiration: 'KEEPTTL' })],
  ])('apply the limit in each process when he %s again and again', async (_how, harm) => {
    const counts = start({ limit: 5, shared: createSharedCounts(redis) });
    const subject = randomUUID();
    const verdicts: boolean[] = [];
    for (let request = 0; request < 20; request += 1) {
      verdicts.push((await counts.take(subject)).admitted);
      await harm(`florin:gateway:rate:test:${hashOf(subject)}`);
    }
    expect(verdicts.filter(Boolean).length).toBe(5);
  });

  it('end with the minute, however long they are said to stay', async () => {
    let time = 0;
    const counts = start({ limit: 2, shared: createSharedCounts(redis), now: () => time });
    const subject = randomUUID();
    await redis.set(`florin:gateway:rate:test:${hashOf(subject)}`, '0', { expiration: { type: 'PX', value: 100 * WINDOW_MS } });
    const take = async () => (await counts.take(subject)).admitted;
    // The second waits for the shared count after the first.
    expect([await take(), await take(), await take()]).toEqual([true, true, false]);
    await redis.del(`florin:gateway:rate:test:${hashOf(subject)}`);
    time += WINDOW_MS;
    expect(await take()).toBe(true);
  });
});

describe('counts without Redis', () => {
  it('apply the limit in each process, and settle once Redis is back', async () => {
    const relay = await startRedisRelay(testEngines().redisUrl);
    const own = await openRedis(relay.url, quietLogger);
    const limit = 100;
    const counts = createWindowCounts({ name: 'test', hashKey: HASH_KEY, limit, shared: createSharedCounts(own), logger: quietLogger });
    const subject = randomUUID();
    await relay.cut();
    let admitted = 0;
    for (let request = 0; request < limit / 2; request += 1) if ((await counts.take(subject)).admitted) admitted += 1;
    expect(admitted).toBe(limit / 2);
    await relay.restore();
    const other = createWindowCounts({ name: 'test', hashKey: HASH_KEY, limit, shared: createSharedCounts(redis), logger: quietLogger });
    await waitFor('the settlement', async () => ((await other.take(subject)).count.left <= limit / 2 ? true : undefined));
    for (let request = 0; request < limit; request += 1) await counts.take(subject);
    expect((await counts.take(subject)).admitted).toBe(false);
    own.destroy();
    await relay.close();
  });
});
