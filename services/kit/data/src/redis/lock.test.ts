import { randomUUID } from 'node:crypto';
import { quietLogger, waitFor } from '@florin/rpc/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testEngines } from '../testing/index.ts';
import { openRedis, type Redis, tryLock } from './index.ts';

let redis: Redis;
beforeAll(async () => {
  redis = await openRedis(testEngines().redisUrl, quietLogger);
});
afterAll(() => redis.destroy());

const newKey = () => `test:lock:${randomUUID()}`;

describe('tryLock', () => {
  it('has one holder at a time', async () => {
    const key = newKey();
    const tries = await Promise.all(Array.from({ length: 20 }, () => tryLock(redis, key, 10_000)));
    const held = tries.filter((lock) => lock !== undefined);
    expect(held).toHaveLength(1);
    await held[0]?.release();
    expect(await tryLock(redis, key, 10_000)).toBeDefined();
  });

  it('ends by itself when its holder does not come back', async () => {
    const key = newKey();
    await tryLock(redis, key, 50);
    const next = await waitFor('the lock to run out', () => tryLock(redis, key, 10_000));
    expect(await redis.pTTL(key)).toBeGreaterThan(50);
    await next.release();
  });

  it('is not released by a holder that it has outlived', async () => {
    const key = newKey();
    const slow = await tryLock(redis, key, 50);
    const next = await waitFor('the lock to run out', () => tryLock(redis, key, 10_000));
    await slow?.release();
    expect(await tryLock(redis, key, 10_000)).toBeUndefined();
    await next.release();
    await next.release();
    expect(await redis.exists(key)).toBe(0);
  });
});
