import { within } from '@florin/rpc/time';

/**
 * Runs work on a challenge after the work of this process that came before it, so that concurrent requests do not verify signatures of the same
 * challenge twice. It waits for a bounded time, and then runs beside what it waited for: an optimization, never a guarantee. The store decides.
 * @param work is told whether it had to wait: what was read before is stale then
 */
export type DecisionLock = <T>(challengeId: string, work: (contended: boolean) => Promise<T>) => Promise<T>;

const MAX_WAIT_MS = 1000;

/** Locks of this process. A repeat that reaches another instance is verified there too, which costs less than a lock that both can see. */
export const createDecisionLock = (): DecisionLock => {
  /** When all work on a challenge that has come so far is done. */
  const done = new Map<string, Promise<void>>();
  return async (challengeId, work) => {
    const before = done.get(challengeId);
    const { promise, resolve } = Promise.withResolvers<void>();
    const all = before === undefined ? promise : before.then(() => promise);
    done.set(challengeId, all);
    try {
      if (before !== undefined) await within(MAX_WAIT_MS, before).catch(() => undefined);
      return await work(before !== undefined);
    } finally {
      resolve();
      if (done.get(challengeId) === all) done.delete(challengeId);
    }
  };
};
