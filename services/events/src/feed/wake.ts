import { openStreamFollower, type Redis } from '@florin/data/redis';
import type { Logger } from '@florin/rpc/observe';

/** Tells readers that a feed has grown, at every instance. It may stay silent: readers look by themselves as well. */
export type Wake = {
  grown: (feed: string) => void;
  /** Resolves when the feed has grown, the time is over, or the signal aborts. */
  wait: (feed: string, timeoutMs: number, signal: AbortSignal) => Promise<void>;
  close: () => Promise<void>;
};

const STREAM = 'florin:feeds';
const KEPT = 1000;

/** Opens the wake-up calls between the instances. @throws the client's error when Redis cannot be reached */
export const openWake = async (redis: Redis, logger: Logger): Promise<Wake> => {
  const sleepers = new Map<string, Set<() => void>>();
  const follower = await openStreamFollower(redis, STREAM, { logger });
  const [newest] = await follower.newest(1);

  const wakeUp = (feed: string): void => {
    for (const rise of sleepers.get(feed) ?? []) rise();
  };
  follower.run(newest?.id ?? '0-0', {
    onEntries: (entries) => {
      for (const feed of new Set(entries.map(({ message }) => message['feed'] ?? ''))) wakeUp(feed);
    },
    // Readers look by themselves.
    onAway: () => undefined,
    onBack: () => undefined,
  });

  return {
    grown: (feed) => {
      wakeUp(feed);
      const trim = { TRIM: { strategy: 'MAXLEN', strategyModifier: '~', threshold: KEPT } } as const;
      redis.xAdd(STREAM, '*', { feed }, trim).catch((err: unknown) => logger.debug({ err }, 'telling the readers of a feed failed'));
    },
    wait: (feed, timeoutMs, signal) =>
      new Promise((resolve) => {
        const own = sleepers.get(feed) ?? new Set();
        sleepers.set(feed, own);
        const rise = (): void => {
          clearTimeout(timer);
          signal.removeEventListener('abort', rise);
          own.delete(rise);
          if (own.size === 0 && sleepers.get(feed) === own) sleepers.delete(feed);
          resolve();
        };
        const timer = setTimeout(rise, timeoutMs);
        own.add(rise);
        signal.addEventListener('abort', rise, { once: true });
        if (signal.aborted) rise();
      }),
    close: follower.close,
  };
};
