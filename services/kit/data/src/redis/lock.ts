import { randomUUID } from 'node:crypto';
import type { Redis } from './redis.ts';

/** Deletes the key only while it still holds our token: a lock that ran out may belong to somebody else by now. */
const RELEASE = `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end`;

export type Lock = { release: () => Promise<void> };

/**
 * Takes a lock with a bounded life, or answers undefined when somebody holds it. A lock saves double work;
 * correctness never depends on it.
 */
export const tryLock = async (redis: Redis, key: string, ttlMs: number): Promise<Lock | undefined> => {
  const token = randomUUID();
  const taken = await redis.set(key, token, { condition: 'NX', expiration: { type: 'PX', value: ttlMs } });
  if (taken === null) return undefined;
  return {
    release: async () => {
      await redis.eval(RELEASE, { keys: [key], arguments: [token] });
    },
  };
};
