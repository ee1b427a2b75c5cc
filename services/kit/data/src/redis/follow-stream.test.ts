import { randomUUID } from 'node:crypto';
import { quietLogger, waitFor } from '@florin/rpc/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startRedisRelay, testEngines } from '../testing/index.ts';
import { BEGINNING, openRedis, openStreamFollower, type Redis } from './index.ts';

let redis: Redis;
let relay: Awaited<ReturnType<typeof startRedisRelay>>;
beforeAll(async () => {
  redis = await openRedis(testEngines().redisUrl, quietLogger);
  relay = await startRedisRelay(testEngines().redisUrl);
});
afterAll(async () => {
  await relay.close();
  redis.destroy();
});

/** Follows a new stream through the relay. */
const follow = async () => {
  const key = `test:stream:${randomUUID()}`;
  const own = await openRedis(relay.url, quietLogger);
  const follower = await openStreamFollower(own, key, { logger: quietLogger });
  const seen: string[] = [];
  follower.run(BEGINNING, {
    onEntries: (entries) => void seen.push(...entries.map(({ message }) => message['name'] ?? '')),
    onAway: () => undefined,
    onBack: () => undefined,
  });
  const close = async () => {
    await follower.close();
    own.destroy();
    await redis.del(key);
  };
  const until = (name: string) => waitFor(name, async () => (seen.includes(name) ? true : undefined));
  return { key, seen, until, close };
};

it('goes on after an outage where it was', async () => {
  const { key, seen, until, close } = await follow();
  await redis.xAdd(key, '1000-1', { name: 'a' });
  await until('a');
  await relay.cut();
  await redis.xAdd(key, '1000-2', { name: 'b' });
  await relay.restore();
  await until('b');
  expect(seen).toEqual(['a', 'b']);
  await close();
});

it('reads a stream anew that was lost in an outage, and has begun again at earlier positions', async () => {
  const { key, seen, until, close } = await follow();
  await redis.xAdd(key, '1000-1', { name: 'a' });
  await until('a');
  await relay.cut();
  await redis.del(key);
  await relay.restore();
  await redis.xAdd(key, '999-1', { name: 'b' });
  await until('b');
  await redis.xAdd(key, '999-2', { name: 'c' });
  await until('c');
  expect(seen).toEqual(['a', 'b', 'c']);
  await close();
});
