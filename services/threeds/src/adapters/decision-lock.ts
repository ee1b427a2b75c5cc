import type { Logger } from '@florin/kit/observe';
import { type Lock, type Redis, tryLock } from '@florin/kit/redis';

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

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** The work's result, or a rejection when it takes too long. */
const within = async <T>(work: Promise<T>, ms: number): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
};

export const createRedisDecisionLock = (redis: Redis): DecisionLock => {
  const attempt = (key: string): Promise<Lock | undefined> => within(tryLock(redis, key, LIFE_MS), ANSWER_MS);
  return {
    acquire: async (challengeId) => {
      const key = `florin:threeds:deciding:${challengeId}`;
      for (let waited = 0; ; waited += PAUSE_MS) {
        const lock = await attempt(key);
        if (lock !== undefined) return { contended: waited > 0, release: () => within(lock.release(), ANSWER_MS) };
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
