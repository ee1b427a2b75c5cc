import type { Logger } from '@florin/rpc/observe';
import { pause } from '@florin/rpc/time';
import type { ReadAgain } from './challenge-feed.ts';
import type { Position } from './event-ids.ts';
import type { Subscription } from './subscription.ts';

/** Reads at a time: thousands of clients may have to be read after one gap. */
const CONCURRENT = 16;
const RETRY_MS = 1000;

/** Reads the challenges of clients again after a gap in the feed, until it succeeds or the client is gone. */
export const createResyncs = ({ logger, position }: { logger: Logger; position: () => Position }) => {
  const readers = new Map<Subscription, ReadAgain>();
  const waiting = new Set<Subscription>();
  let working = 0;
  let closed = false;

  const resync = async (subscription: Subscription): Promise<void> => {
    const readAgain = readers.get(subscription);
    if (readAgain === undefined) return;
    // Read before the challenges: they are at least as new as this position.
    const readAt = position();
    const { challenges, serverTime } = await readAgain(subscription.open());
    // A further gap in the meantime needs another read.
    if (!waiting.has(subscription)) subscription.closeGap(challenges, readAt, serverTime);
  };

  const work = async (): Promise<void> => {
    for (let [next] = waiting; next !== undefined && !closed; [next] = waiting) {
      waiting.delete(next);
      try {
        await resync(next);
      } catch (err) {
        logger.warn({ err }, 'reading challenges after a gap failed, will retry');
        if (readers.has(next)) waiting.add(next);
        await pause(RETRY_MS);
      }
    }
    working -= 1;
  };

  return {
    register: (subscription: Subscription, readAgain: ReadAgain): void => {
      readers.set(subscription, readAgain);
    },
    forget: (subscription: Subscription): void => {
      readers.delete(subscription);
      waiting.delete(subscription);
    },
    add: (subscription: Subscription): void => {
      subscription.openGap();
      waiting.add(subscription);
      for (; working < Math.min(CONCURRENT, waiting.size); working += 1) void work();
    },
    close: (): void => {
      closed = true;
    },
  };
};

export type Resyncs = ReturnType<typeof createResyncs>;
