import type { Logger } from '@florin/rpc/observe';
import { MemoryStore, type Options, type Store } from 'express-rate-limit';

/** How often a store that keeps failing is logged, in milliseconds. */
const LOG_EVERY_MS = 10_000;

/**
 * Counts in a shared store, and in this process while the shared one fails: a limit then holds per gateway process, and requests are
 * neither rejected nor unlimited.
 */
export const createFallbackStore = (shared: Store, logger: Logger): Store => {
  const local = new MemoryStore();
  let loggedAt = Number.NEGATIVE_INFINITY;
  const warn = (err: unknown): void => {
    if (performance.now() - loggedAt < LOG_EVERY_MS) return;
    loggedAt = performance.now();
    logger.warn({ err }, 'counting in the shared rate limit store failed, counting locally');
  };
  const either = async <T>(name: string, first: () => Promise<T> | T, second: () => Promise<T> | T): Promise<T> => {
    try {
      return await first();
    } catch (err) {
      warn(new Error(`${name} failed`, { cause: err }));
      return second();
    }
  };
  return {
    init: async (options: Options) => {
      await Promise.all([shared.init?.(options), local.init(options)]);
    },
    increment: (key) =>
      either(
        'increment',
        () => shared.increment(key),
        () => local.increment(key),
      ),
    decrement: (key) =>
      either(
        'decrement',
        () => shared.decrement(key),
        () => local.decrement(key),
      ),
    resetKey: (key) =>
      either(
        'reset',
        () => shared.resetKey(key),
        () => local.resetKey(key),
      ),
    shutdown: () => local.shutdown(),
  };
};
