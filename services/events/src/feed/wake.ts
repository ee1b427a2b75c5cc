import { openStreamFollower, type Redis } from '@florin/data/redis';
import { FEED_GROWTH_STREAM } from '@florin/proto/events/v1/growth';
import type { Logger } from '@florin/rpc/observe';
import { createSleepers } from '@florin/rpc/time';
import { passes, type TypeFilter } from '../domain/feed-block.ts';
import type { FeedEvent } from '../domain/feed-event.ts';

/** Tells readers that a feed has grown, at every instance. It may stay silent: readers look by themselves as well. */
export type Wake = {
  /** Resolves when the feed has grown by an event that the filter lets through, the time is over, or the signal aborts. */
  wait: (feed: string, filter: TypeFilter, timeoutMs: number, signal: AbortSignal) => Promise<void>;
  grown: (feed: string, events: readonly FeedEvent[]) => void;
  /** Calls a listener for each feed that has grown, from now on. */
  listen: (listener: (feed: string) => void) => void;
  close: () => Promise<void>;
};

const KEPT = 1000;

/** Opens the wake-up calls between the instances. @throws the client's error when Redis cannot be reached */
export const openWake = async (redis: Redis, logger: Logger): Promise<Wake> => {
  const sleepers = createSleepers<readonly string[]>();
  const listeners: ((feed: string) => void)[] = [];
  const follower = await openStreamFollower(redis, FEED_GROWTH_STREAM, { logger });
  const [newest] = await follower.newest(1);

  const wake = (feed: string, types: readonly string[]): void => {
    sleepers.wake(feed, types);
    for (const listener of listeners) listener(feed);
  };
  follower.run(newest?.id ?? '0-0', {
    onEntries: (entries) => {
      for (const { message } of entries) wake(message['feed'] ?? '', (message['types'] ?? '').split(','));
    },
    // Readers look by themselves.
    onAway: () => undefined,
    onBack: () => undefined,
  });

  return {
    grown: (feed, events) => {
      const trim = { TRIM: { strategy: 'MAXLEN', strategyModifier: '~', threshold: KEPT } } as const;
      const users = [...new Set(events.flatMap(({ userId }) => userId ?? []))].join(',');
      const types = [...new Set(events.map(({ type }) => type))];
      redis.xAdd(FEED_GROWTH_STREAM, '*', { feed, users, types: types.join(',') }, trim).catch((err: unknown) => {
        logger.debug({ err }, 'telling the readers of a feed failed');
        wake(feed, types);
      });
    },
    wait: (feed, filter, timeoutMs, signal) =>
      sleepers.wait(feed, timeoutMs, signal, (types) => types.some((type) => type === '' || passes(filter, type))),
    listen: (listener) => {
      listeners.push(listener);
    },
    close: follower.close,
  };
};
