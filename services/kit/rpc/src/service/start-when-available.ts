import type { Logger } from '../observe/index.ts';
import { createCloser } from '../process/index.ts';
import { pause } from '../time.ts';
import { unavailableDependency } from './unavailable-dependency.ts';

const RETRY_MS = 1000;

type Attempt = (defer: (release: () => unknown) => void) => Promise<string>;

/**
 * Repeats the start of a process while a dependency is unavailable, so that an engine that is away does not make its orchestrator restart
 * the process again and again. Every failed attempt releases what it opened. Each reason to wait is logged once.
 * @param waiting learns what the start waits for
 * @returns the result of the attempt that succeeded, and its releases
 * @throws any error that does not come from an unavailable dependency
 */
export const startWhenAvailable = async (
  attempt: Attempt,
  { logger, waiting }: { logger: Logger; waiting: (dependency: string) => void },
): Promise<{ url: string; close: () => Promise<void> }> => {
  let reported: string | undefined;
  for (;;) {
    const closer = createCloser();
    try {
      const url = await attempt(closer.defer);
      if (reported !== undefined) logger.info('everything that the start waited for is available');
      return { url, close: closer.close };
    } catch (error) {
      await closer.close().catch((err: unknown) => logger.warn({ err }, 'cannot release the resources of a failed start'));
      const missing = unavailableDependency(error);
      if (missing === undefined) throw error;
      waiting(missing.dependency);
      const reason = `waiting for ${missing.dependency}: ${missing.message}`;
      if (reason !== reported) logger.warn(reason);
      reported = reason;
      await pause(RETRY_MS);
    }
  }
};
