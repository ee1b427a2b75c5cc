import type { Logger } from '@florin/rpc/observe';
import { startRounds } from '@florin/rpc/time';
import { LRUCache } from 'lru-cache';
import { EMPTY, eventAt, type FeedBlock, type Head, headAfter, type PlacedEvent, type TypeFilter } from '../domain/feed-block.ts';
import type { Wake } from '../feed/wake.ts';
import type { ArchiveStore } from '../store/archives.ts';
import type { BlockStore } from '../store/blocks.ts';

/** A feed as the endpoints of its partner read it: each block once for all of them. */
export type FeedReader = {
  /**
   * The block with the event after a sequence, or the first one after it that is kept; undefined at the end of the feed. A promise when it has to be read, which rejects when a
   * block is not found that no archive has.
   */
  next: (after: number) => FeedBlock | undefined | Promise<FeedBlock | undefined>;
  /** An event as a filter sees it; undefined if it is not kept any more. Rejects when it is not found although no archive has it. */
  event: (sequence: number, filter: TypeFilter) => Promise<PlacedEvent | undefined>;
  /** The end of the feed, as far as it is known. */
  head: () => Head;
  close: () => void;
};

export type FeedSource = {
  /** Starts reading a feed. @param grown called when it has grown */
  open: (feed: string, grown: () => void) => Promise<FeedReader>;
  close: () => Promise<void>;
};

type Tail = { feed: string; head: Head; recent: FeedBlock[]; grown: () => void; isForked?: boolean };

/** Blocks at the end of a feed that stay in memory. */
const RECENT = 8;

/** Blocks before that, of all feeds together, that stay in memory. */
const OLDER = 128;

/** Blocks that one query reads. */
const AHEAD = 4;

/** Feeds that one query asks about. */
const FEEDS = 1000;

/** Longest time between two looks at all feeds, for the case that Redis does not tell that one has grown. */
const LOOK_MS = 1000;

const holds = (block: FeedBlock, sequence: number): boolean => block.first <= sequence && sequence <= block.last;

/** Follows the ends of many feeds with few queries: the next block of a feed has a known number, so one query asks for those of all feeds. */
export const createFeedSource = ({
  blocks,
  archives,
  wake,
  logger,
}: {
  blocks: Pick<BlockStore, 'numbered' | 'newest' | 'after'>;
  archives: Pick<ArchiveStore, 'floor'>;
  wake: Pick<Wake, 'listen'>;
  logger: Logger;
}): FeedSource => {
  const tails = new Map<string, Tail>();
  const grownFeeds = new Set<string>();
  const older = new LRUCache<string, FeedBlock>({ max: OLDER });
  const reading = new Map<string, Promise<FeedBlock | undefined>>();
  let lookedAt = Number.NEGATIVE_INFINITY;

  const append = (tail: Tail, block: FeedBlock): boolean => {
    if (block.n !== tail.head.n + 1) return false;
    if (block.first !== tail.head.last + 1) {
      if (tail.isForked !== true)
        logger.error({ feed: block.feed, n: block.n }, 'a feed does not continue what was read of it: its deliveries stop');
      tail.isForked = true;
      return false;
    }
    tail.head = headAfter(block);
    tail.recent.push(block);
    if (tail.recent.length > RECENT) tail.recent.shift();
    return true;
  };

  /** Announces that a feed has grown. A failing reader affects no other feed. */
  const tell = ({ feed, grown }: Tail): void => {
    try {
      grown();
    } catch (err) {
      logger.warn({ err, feed }, 'beginning the deliveries of new events failed, will retry');
    }
  };

  /** Reads the next blocks of some feeds. @returns those that have as many, and so perhaps more */
  const look = async (asked: readonly Tail[], ahead: number): Promise<Tail[]> => {
    const numbers = asked.flatMap(({ feed, head }) => Array.from({ length: ahead }, (_, index) => ({ feed, n: head.n + 1 + index })));
    const found = (await blocks.numbered(numbers)).sort((a, b) => a.n - b.n);
    const grown = new Map<Tail, number>();
    for (const block of found) {
      const tail = tails.get(block.feed);
      if (tail !== undefined && append(tail, block)) grown.set(tail, (grown.get(tail) ?? 0) + 1);
    }
    for (const tail of grown.keys()) tell(tail);
    return [...grown].flatMap(([tail, count]) => (count === ahead ? [tail] : []));
  };

  const round = async (): Promise<void> => {
    const isFull = performance.now() - lookedAt >= LOOK_MS;
    const asked = isFull ? [...tails.values()] : [...grownFeeds].flatMap((feed) => tails.get(feed) ?? []);
    grownFeeds.clear();
    if (isFull) lookedAt = performance.now();
    for (let from = 0; from < asked.length; from += FEEDS) {
      let left = asked.slice(from, from + FEEDS);
      while (left.length > 0) left = await look(left, left.length > FEEDS / AHEAD ? 1 : AHEAD);
    }
  };

  const rounds = startRounds({ round, intervalMs: LOOK_MS, logger, failed: 'looking for new events failed, will retry' });
  wake.listen((feed) => {
    if (!tails.has(feed)) return;
    grownFeeds.add(feed);
    rounds.kick();
  });

  /** @throws Error when something between a place and the first block that was found after it is in no archive: what a query misses must not be taken for archived */
  const proveArchived = async ({ feed, head }: Tail, after: number, found: FeedBlock | undefined): Promise<void> => {
    const first = found?.first ?? head.last + 1;
    if (first > after + 1 && first > (await archives.floor(feed)) + 1) {
      throw new Error(`what follows on the event ${after} of the feed ${feed} was not found`);
    }
  };

  const readAfter = async (tail: Tail, after: number): Promise<FeedBlock | undefined> => {
    const found = await blocks.after(tail.feed, after, tail.head.last, AHEAD);
    await proveArchived(tail, after, found[0]);
    let from = after;
    for (const block of found) {
      // One after a place that was not found is proven when it is asked for.
      if (from > after && block.first > from + 1) break;
      older.set(`${tail.feed}:${from}`, block);
      from = block.last;
    }
    return found[0];
  };

  /** Reads from the database, once for all who ask at the same time. */
  const read = (tail: Tail, after: number): Promise<FeedBlock | undefined> => {
    const key = `${tail.feed}:${after}`;
    const running = reading.get(key);
    if (running !== undefined) return running;
    const asked = readAfter(tail, after).finally(() => reading.delete(key));
    reading.set(key, asked);
    return asked;
  };

  return {
    open: async (feed, grown) => {
      const newest = await blocks.newest(feed);
      const tail: Tail = {
        feed,
        head: newest === undefined ? EMPTY : headAfter(newest),
        recent: newest === undefined ? [] : [newest],
        grown,
      };
      tails.set(feed, tail);
      return {
        next: (after) => {
          if (after >= tail.head.last) return undefined;
          return tail.recent.find((block) => holds(block, after + 1)) ?? older.get(`${feed}:${after}`) ?? read(tail, after);
        },
        event: async (sequence, filter) => {
          const recent = tail.recent.find((block) => holds(block, sequence));
          const block = recent ?? older.get(`${feed}:${sequence - 1}`) ?? (await read(tail, sequence - 1));
          return block === undefined ? undefined : eventAt(block, sequence, filter);
        },
        head: () => tail.head,
        close: () => {
          if (tails.get(feed) === tail) tails.delete(feed);
        },
      };
    },
    close: rounds.close,
  };
};
