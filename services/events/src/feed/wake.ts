import { openStreamFollower, type Redis } from '@florin/data/redis';
import { FEED_GROWTH_STREAM } from '@florin/proto/events/v1/growth';
import type { Logger } from '@florin/rpc/observe';
import { createSleepers, type Sleepers } from '@florin/rpc/time';
import type { FeedEvent } from '../domain/feed-event.ts';

/** Tells readers that a feed has grown, at every instance. It may stay silent: readers look by themselves as well. */
export type Wake = Pick<Sleepers, 'wait'> & {
  grown: (feed: string, events: readonly FeedEvent[]) => void;
  /** Calls a listener for each feed that has grown, from now on. */
  listen: (listener: (feed: string) => void) => void;
  close: () => Promise<void>;
};

const KEPT = 1000;

/** Opens the wake-up calls between the instances. @throws the client's error when Redis cannot be reached */
export const openWake = async (redis: Redis, logger: Logger): Promise<Wake> => {
  const { wait, wake: rouse } = createSleepers();
  const listeners: ((feed: string) => void)[] = [];
  const follower = await openStreamFollower(redis, FEED_GROWTH_STREAM, { logger });
  const [newest] = await follower.newest(1);

  const wake = (feed: string): void => {
    rouse(feed);
    for (const listener of listeners) listener(feed);
  };
  follower.run(newest?.id ?? '0-0', {
    onEntries: (entries) => {
      for (const feed of new Set(entries.map(({ message }) => message['feed'] ?? ''))) wake(feed);
    },
    // Readers look by themselves.
    onAway: () => undefined,
    onBack: () => undefined,
  });

  return {
    grown: (feed, events) => {
      wake(feed);
      const trim = { TRIM: { strategy: 'MAXLEN', strategyModifier: '~', threshold: KEPT } } as const;
      const users = [...new Set(events.flatMap(({ userId }) => userId ?? []))].join(',');
      redis
        .xAdd(FEED_GROWTH_STREAM, '*', { feed, users }, trim)
        .catch((err: unknown) => logger.debug({ err }, 'telling the readers of a feed failed'));
    },
    wait,
    listen: (listener) => {
      listeners.push(listener);
    },
    close: follower.close,
  };
};
