import { type Lock, type Redis, tryLock } from '@florin/data/redis';
import type { Logger } from '@florin/rpc/observe';
import { pause, within } from '@florin/rpc/time';

export type HeldLock = {
  /** Whether somebody else was at work meanwhile: what was read before is old. */
  contended: boolean;
  release: () => Promise<void>;
};

/**
 * Keeps twins from checking the same challenge's signatures at the same time. A saving, never a guarantee: the store decides.
 * May reject, and may hand out a lock that somebody else still holds once the wait has been long enough.
 */
export type DecisionLock = { acquire: (challengeId: string) => Promise<HeldLock> };

/** Longer than a decision takes unless a neighbour is slow, when a twin may do the work too; what a killed holder leaves behind is gone after it. */
const LIFE_MS = 3000;
/** A Redis that does not answer in this time is treated as away. */
const ANSWER_MS = 250;
const MAX_WAIT_MS = 1000;
const PAUSE_MS = 20;

export const createRedisDecisionLock = (redis: Redis): DecisionLock => {
  const attempt = (key: string): Promise<Lock | undefined> => within(ANSWER_MS, tryLock(redis, key, LIFE_MS));
  return {
    acquire: async (challengeId) => {
      const key = `florin:threeds:deciding:${challengeId}`;
      for (let waited = 0; ; waited += PAUSE_MS) {
        const lock = await attempt(key);
        if (lock !== undefined) return { contended: waited > 0, release: () => within(ANSWER_MS, lock.release()) };
        if (waited >= MAX_WAIT_MS) return { contended: true, release: async () => {} };
        await pause(PAUSE_MS);
      }
    },
  };
};

/** Runs `work` under the lock, or without it when it cannot be had. `work` hears whether somebody else was at it meanwhile. */
export const underLock = async <T>(
  lock: DecisionLock,
  challengeId: string,
  logger: Logger,
  work: (contended: boolean) => Promise<T>,
): Promise<T> => {
  const without = (err: unknown): HeldLock => {
    logger.warn({ err, challengeId }, 'deciding without the lock');
    return { contended: true, release: async () => {} };
  };
  const held = await lock.acquire(challengeId).catch(without);
  try {
    return await work(held.contended);
  } finally {
    // Its life is bounded: one that cannot be released ends by itself.
    await held.release().catch((err: unknown) => logger.warn({ err, challengeId }, 'lock not released'));
  }
};
