import { pause } from '@florin/rpc/time';
import type { Wake } from '../feed/wake.ts';
import type { Page, ReadOptions } from './read-feed.ts';

type Options = Omit<ReadOptions, 'limit'> & {
  read: (options: ReadOptions) => Promise<Page>;
  wake: Pick<Wake, 'wait'>;
  signal: AbortSignal;
  heartbeatMs: number;
};

/** Most events of a message. */
const LIMIT = 500;

/** Longest time between two looks at the feed, for the case that Redis does not tell that it has grown. */
const LOOK_MS = 1000;

/** Pause after a page with events: a feed that grows by many blocks a second is not read once for each of them. */
const GATHER_MS = 50;

/**
 * The pages of a feed, without end: at once, when it grows, and as a heartbeat. A page without events and without anything else that is new comes only as a
 * heartbeat.
 * @throws CodedError CURSOR_AHEAD, EVENTS_ARCHIVED, SERVICE_UNAVAILABLE
 */
export const watchFeed = async function* ({ feed, filter, read, wake, signal, heartbeatMs, ...start }: Options): AsyncGenerator<Page> {
  let { after } = start;
  let saidAt = Number.NEGATIVE_INFINITY;
  while (!signal.aborted) {
    // Registered before the read: growth during the read ends the wait.
    const grown = wake.wait(feed, filter, LOOK_MS, signal);
    const page = await read({ feed, after, filter, limit: LIMIT });
    const isDue = performance.now() - saidAt >= heartbeatMs;
    if (page.events.length > 0 || isDue) {
      saidAt = performance.now();
      yield page;
    }
    after = page.next;
    if (page.hasMore) continue;
    if (page.events.length > 0) await pause(GATHER_MS);
    await grown;
  }
};
