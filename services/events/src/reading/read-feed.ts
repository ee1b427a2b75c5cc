import { CodedError } from '@florin/rpc/errors';
import { cursorOf } from '../domain/cursor.ts';
import { EMPTY, eventsThrough, type FeedBlock, headAfter, lastThrough, type PlacedEvent, type TypeFilter } from '../domain/feed-block.ts';
import type { ArchiveStore } from '../store/archives.ts';
import type { BlockStore } from '../store/blocks.ts';

/** The end of a feed, as one reader sees it. */
export type Checkpoint = { timestamp: Date; sequence: number; previousSequence: number };

export type Page = {
  events: PlacedEvent[];
  /** Sequence after which the next page begins. */
  next: number;
  hasMore: boolean;
  checkpoint: Checkpoint;
};

export type ReadOptions = {
  feed: string;
  /** Undefined: from the oldest event that is kept. */
  after: number | undefined;
  filter: TypeFilter;
  /** Most events of the page. */
  limit: number;
};

/** Blocks that one page looks at: a filter that lets little through gets short pages instead of long waits. */
const MAX_BLOCKS = 64;

/** The events up to the limit, and where they end. */
const cut = (blocks: readonly FeedBlock[], { after, filter, limit }: ReadOptions & { after: number }) => {
  const events: PlacedEvent[] = [];
  let next = after;
  for (const block of blocks) {
    if (block.first > next + 1) throw new Error(`the feed ${block.feed} has a gap before block ${block.n}`);
    for (const event of eventsThrough(block, filter)) {
      if (event.sequence <= after) continue;
      if (events.length === limit) return { events, next: event.sequence - 1 };
      events.push(event);
    }
    next = block.last;
  }
  return { events, next };
};

/** Whether blocks are missing between a place and the last of these. */
const hasGap = (blocks: readonly FeedBlock[], after: number): boolean =>
  blocks.some(({ first }, index) => first > (blocks[index - 1]?.last ?? after) + 1);

/** @throws CodedError EVENTS_ARCHIVED, with the cursor at which reading can begin */
export const archived = (feed: string, floor: number): CodedError =>
  new CodedError('EVENTS_ARCHIVED', {
    message: 'after: the next events are in archive files',
    metadata: { firstCursor: cursorOf(feed, floor) },
  });

type Parts = { blocks: Pick<BlockStore, 'after' | 'newest'>; archives: Pick<ArchiveStore, 'floor'>; now: () => Date };

/**
 * Reads a page of a feed.
 * @throws CodedError CURSOR_AHEAD, EVENTS_ARCHIVED
 */
export const readFeed = async ({ blocks, archives, now }: Parts, options: ReadOptions): Promise<Page> => {
  const { feed, filter } = options;
  // The end first: what is appended during the reads comes after the checkpoint.
  const timestamp = now();
  const newest = await blocks.newest(feed);
  const head = newest === undefined ? EMPTY : headAfter(newest);
  const checkpoint = { timestamp, sequence: head.last, previousSequence: lastThrough(head.lastOf, filter) };
  if (options.after !== undefined && options.after > head.last) {
    throw new CodedError('CURSOR_AHEAD', { message: 'after: is beyond the end of the feed' });
  }
  let after = options.after ?? (await archives.floor(feed));
  let found = after === head.last ? [] : await blocks.after(feed, after, MAX_BLOCKS);
  if (hasGap(found, after)) {
    // Archived blocks disappear in any order, after the floor has moved.
    const floor = await archives.floor(feed);
    if (options.after !== undefined && options.after < floor) throw archived(feed, floor);
    after = Math.max(after, floor);
    found = await blocks.after(feed, after, MAX_BLOCKS);
  }
  const upToHead = found.filter(({ n }) => n <= head.n);
  const { events, next } = cut(upToHead, { ...options, after });
  return { events, next, hasMore: next < head.last, checkpoint };
};
