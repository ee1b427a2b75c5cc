import { type Lock, type Redis, tryLock } from '@florin/data/redis';
import type { Logger } from '@florin/rpc/observe';
import { pause, within } from '@florin/rpc/time';

export type HeldLock = {
  /** Whether another holder was at work in the meantime: anything read before is stale. */
  contended: boolean;
  release: () => Promise<void>;
};

/**
 * Prevents concurrent requests from verifying signatures of the same challenge twice. An optimization, never a guarantee: the store
 * decides. `acquire` may reject, and after a bounded wait may return while another holder still has the lock.
 */
export type DecisionLock = { acquire: (challengeId: string) => Promise<HeldLock> };

/** Longer than a decision takes unless another service is slow. A lock left behind by a killed holder expires after it. */
const LOCK_TTL_MS = 3000;
/** Timeout of a Redis command; a slower Redis counts as unavailable. */
const REDIS_TIMEOUT_MS = 250;
const MAX_WAIT_MS = 1000;
const RETRY_MS = 20;

export const createRedisDecisionLock = (redis: Redis, newId: () => string): DecisionLock => {
  const attempt = (key: string): Promise<Lock | undefined> =>
    within(REDIS_TIMEOUT_MS, tryLock(redis, key, { ttlMs: LOCK_TTL_MS, token: newId() }));
  return {
    acquire: async (challengeId) => {
      const key = `florin:threeds:deciding:${challengeId}`;
      for (let waited = 0; ; waited += RETRY_MS) {
        const lock = await attempt(key);
        if (lock !== undefined) return { contended: waited > 0, release: () => within(REDIS_TIMEOUT_MS, lock.release()) };
        if (waited >= MAX_WAIT_MS) return { contended: true, release: async () => {} };
        await pause(RETRY_MS);
      }
    },
  };
};

/** Runs `work` under the lock, or without it when it is unavailable. `contended` tells `work` whether another holder was at work before. */
export const underLock = async <T>(
  lock: DecisionLock,
  challengeId: string,
  logger: Logger,
  work: (contended: boolean) => Promise<T>,
): Promise<T> => {
  const proceedWithout = (err: unknown): HeldLock => {
    logger.warn({ err, challengeId }, 'acquiring the decision lock failed, deciding without it');
    return { contended: true, release: async () => {} };
  };
  const held = await lock.acquire(challengeId).catch(proceedWithout);
  try {
    return await work(held.contended);
  } finally {
    // A lock that cannot be released expires by itself.
    await held.release().catch((err: unknown) => logger.warn({ err, challengeId }, 'releasing the decision lock failed'));
  }
};
