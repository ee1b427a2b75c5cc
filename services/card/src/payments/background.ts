import type { Logger } from '@florin/rpc/observe';
import { within } from '@florin/rpc/time';

/** Longest wait for the effects of an event. The event stands without them; the sweeper carries out what is late. */
const EFFECTS_MS = 2500;

/** Waits for effects, as long as a caller can wait. */
export const awaitEffects = async (work: Promise<unknown>): Promise<void> => {
  await within(EFFECTS_MS, work).catch(() => undefined);
};

/** Work that goes on after its caller was answered. A failure is logged: the sweeper repeats what was not done. */
export const createBackground = (logger: Logger) => {
  const pending = new Set<Promise<void>>();
  return {
    /** Keeps the process running until the work has ended. A caller that awaits the work itself sees its failure too. */
    run: (work: Promise<unknown>): void => {
      const tracked: Promise<void> = work
        .then(
          () => undefined,
          (err: unknown) => logger.warn({ err }, 'work on a payment failed in the background, will retry'),
        )
        .finally(() => pending.delete(tracked));
      pending.add(tracked);
    },
    /** Resolves when the work that is under way has ended. */
    settled: async (): Promise<void> => {
      await Promise.all(pending);
    },
  };
};

export type Background = ReturnType<typeof createBackground>;
