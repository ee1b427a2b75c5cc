import type { Logger } from '@florin/rpc/observe';
import { within } from '@florin/rpc/time';

type HeldLock = {
  /** Whether another holder was at work in the meantime: anything read before is stale. */
  contended: boolean;
  release: () => Promise<void>;
};

/**
 * Prevents concurrent requests from verifying signatures of the same challenge twice. An optimization, never a guarantee: the store
 * decides. `acquire` may reject, and after a bounded wait may return while another holder still has the lock.
 */
export type DecisionLock = { acquire: (challengeId: string) => Promise<HeldLock> };

const MAX_WAIT_MS = 1000;

/** Locks of this process. A repeat that reaches another instance is verified there too, which costs less than a lock that both can see. */
export const createDecisionLock = (): DecisionLock => {
  /** When the last of the holders and waiters of a challenge has released. */
  const released = new Map<string, Promise<void>>();
  return {
    acquire: async (challengeId) => {
      const before = released.get(challengeId);
      const { promise, resolve } = Promise.withResolvers<void>();
      const all = before === undefined ? promise : before.then(() => promise);
      released.set(challengeId, all);
      const release = async (): Promise<void> => {
        resolve();
        if (released.get(challengeId) === all) released.delete(challengeId);
      };
      if (before !== undefined) await within(MAX_WAIT_MS, before).catch(() => undefined);
      return { contended: before !== undefined, release };
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
