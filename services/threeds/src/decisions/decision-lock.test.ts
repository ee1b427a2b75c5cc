import { randomUUID } from 'node:crypto';
import { openRedis, type Redis } from '@florin/data/redis';
import { testEngines } from '@florin/data/testing';
import { quietLogger } from '@florin/rpc/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRedisDecisionLock, type DecisionLock, underLock } from './decision-lock.ts';

let redis: Redis;
let lock: DecisionLock;

beforeAll(async () => {
  redis = await openRedis(testEngines().redisUrl, quietLogger);
  lock = createRedisDecisionLock(redis, randomUUID);
});
afterAll(() => redis.destroy());

describe('decision lock', () => {
  it('admits one holder at a time and reports contention', async () => {
    const id = randomUUID();
    let inside = 0;
    const seen: boolean[] = [];
    const work = async (contended: boolean) => {
      seen.push(contended);
      inside += 1;
      expect(inside).toBe(1);
      await new Promise((resolve) => setTimeout(resolve, 10));
      inside -= 1;
    };
    await Promise.all(Array.from({ length: 5 }, () => underLock(lock, id, quietLogger, work)));
    expect(seen).toHaveLength(5);
    expect(seen.filter((contended) => !contended)).toHaveLength(1);
  });

  it('is held per challenge and released afterwards, even after a failure', async () => {
    const id = randomUUID();
    const fail = underLock(lock, id, quietLogger, () => Promise.reject(new Error('inside')));
    await expect(fail).rejects.toThrow('inside');
    await underLock(lock, id, quietLogger, async (contended) => {
      expect(contended).toBe(false);
      await underLock(lock, randomUUID(), quietLogger, async (other) => expect(other).toBe(false));
    });
  });

  it('bounds the wait for a held lock', async () => {
    const id = randomUUID();
    await lock.acquire(id);
    const late = await lock.acquire(id);
    expect(late.contended).toBe(true);
    await late.release();
  });

  it.each<[string, DecisionLock]>([
    ['cannot be acquired', { acquire: () => Promise.reject(new Error('unavailable')) }],
    ['cannot be released', { acquire: async () => ({ contended: true, release: () => Promise.reject(new Error('unavailable')) }) }],
  ])('that %s does not stop the work', async (_name, broken) => {
    expect(await underLock(broken, 'x', quietLogger, async (contended) => contended)).toBe(true);
  });

  it('treats an unresponsive Redis as unavailable', async () => {
    const silent = { set: () => new Promise(() => {}) } as unknown as Redis;
    expect(await underLock(createRedisDecisionLock(silent, randomUUID), 'x', quietLogger, async (contended) => contended)).toBe(true);
  });
});
