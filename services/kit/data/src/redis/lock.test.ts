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
const attempt = (key: string, ttlMs = 10_000) => tryLock(redis, key, { ttlMs, token: randomUUID() });

describe('tryLock', () => {
  it('has one holder at a time', async () => {
    const key = newKey();
    const attempts = await Promise.all(Array.from({ length: 20 }, () => attempt(key)));
    const held = attempts.filter((lock) => lock !== undefined);
    expect(held).toHaveLength(1);
    await held[0]?.release();
    expect(await attempt(key)).toBeDefined();
  });

  it('stores the token of its holder', async () => {
    const key = newKey();
    const lock = await tryLock(redis, key, { ttlMs: 10_000, token: 'holder' });
    expect(await redis.get(key)).toBe('holder');
    await lock?.release();
  });

  it('expires when its holder does not release it', async () => {
    const key = newKey();
    await attempt(key, 50);
    const next = await waitFor('the lock to expire', () => attempt(key));
    expect(await redis.pTTL(key)).toBeGreaterThan(50);
    await next.release();
  });

  it('is not released by a holder whose lock has expired', async () => {
    const key = newKey();
    const slow = await attempt(key, 50);
    const next = await waitFor('the lock to expire', () => attempt(key));
    await slow?.release();
    expect(await attempt(key)).toBeUndefined();
    await next.release();
    await next.release();
    expect(await redis.exists(key)).toBe(0);
  });
});
