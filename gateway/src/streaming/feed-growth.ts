import { openStreamFollower, type Redis } from '@florin/data/redis';
import { FEED_GROWTH_STREAM } from '@florin/proto/events/v1/growth';
import type { Logger } from '@florin/rpc/observe';
import { createSleepers, type Sleepers } from '@florin/rpc/time';

/** Tells the streams of users, by their ids, that they have new events. It may stay silent, so they look by themselves as well. */
export type FeedGrowth = Pick<Sleepers, 'wait'> & { close: () => Promise<void> };

/** Opens one reader of the growth of all feeds for all streams of this process. @throws the client's error when Redis cannot be reached */
export const openFeedGrowth = async (redis: Redis, logger: Logger): Promise<FeedGrowth> => {
  const { wait, wake, wakeAll } = createSleepers();
  const follower = await openStreamFollower(redis, FEED_GROWTH_STREAM, { logger });
  const [newest] = await follower.newest(1);
  follower.run(newest?.id ?? '0-0', {
    onEntries: (entries) => {
      for (const userId of new Set(entries.flatMap(({ message }) => (message['users'] ?? '').split(',')))) wake(userId);
    },
    onAway: () => undefined,
    // Events that were written meanwhile may be lost.
    onBack: wakeAll,
  });
  return { wait, close: follower.close };
};
