import type { Redis } from './redis.ts';

/** Deletes the key only while it still holds this holder's token: an expired lock may have another holder by now. */
const RELEASE = `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end`;

export type Lock = {
  /** Releases the lock unless it has expired. Harmless to repeat. */
  release: () => Promise<void>;
};

export type LockOptions = {
  /** Time after which the lock expires on its own, in milliseconds. */
  ttlMs: number;
  /** A unique id of this attempt, for example `runtime.newId()`. */
  token: string;
};

/**
 * Tries to take a lock in Redis. A lock saves duplicate work; correctness never depends on it.
 * @returns undefined when the lock is held
 * @throws the client's error when Redis is unavailable
 */
export const tryLock = async (redis: Redis, key: string, { ttlMs, token }: LockOptions): Promise<Lock | undefined> => {
  const taken = await redis.set(key, token, { condition: 'NX', expiration: { type: 'PX', value: ttlMs } });
  if (taken === null) return undefined;
  return {
    release: async () => {
      await redis.eval(RELEASE, { keys: [key], arguments: [token] });
    },
  };
};
