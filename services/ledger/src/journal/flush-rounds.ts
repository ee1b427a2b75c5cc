import type { Logger } from '@florin/rpc/observe';
import { type Rounds, startRounds } from '@florin/rpc/time';

/** Pause between two flushes of the balances. */
const FLUSH_INTERVAL_MS = 5000;

/** The pause is at least so many times what the last flush took: with millions of accounts writing them all must not take the engine's time. */
const FLUSH_REST = 2;

/** Stores the balances regularly. */
export const startFlushes = (flush: () => Promise<void>, logger: Logger): Rounds => {
  let restsUntil = 0;
  return startRounds({
    round: async () => {
      const started = performance.now();
      if (started < restsUntil) return;
      await flush();
      const now = performance.now();
      restsUntil = now + FLUSH_REST * (now - started);
    },
    intervalMs: FLUSH_INTERVAL_MS,
    logger,
    failed: 'storing the balances failed, retrying',
  });
};
