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

/** Blocks that one page looks at. */
const MAX_BLOCKS = 64;

/** The events up to the limit, and where they end. */
const cut = (blocks: readonly FeedBlock[], { after, limit, filter }: ReadOptions & { after: number }) => {
  const events: PlacedEvent[] = [];
  for (const block of blocks) {
    for (const event of eventsThrough(block, filter)) {
      if (event.sequence <= after) continue;
      // Each event names the one before it, so that what is missing shows, whether or not blocks between were left out.
      if (event.previousSequence > (events.at(-1)?.sequence ?? after)) {
        throw new Error(`the feed ${block.feed} has a gap before the event ${event.sequence}`);
      }
      if (events.length === limit) return { events, next: event.sequence - 1 };
      events.push(event);
    }
  }
  return { events, next: blocks.at(-1)?.last ?? after };
};

/** @throws CodedError EVENTS_ARCHIVED, with the cursor at which reading can begin */
export const archived = (feed: string, floor: number): CodedError =>
  new CodedError('EVENTS_ARCHIVED', {
    message: 'after: the next events are in archive files',
    metadata: { firstCursor: cursorOf(feed, floor) },
  });

/**
 * Rejects a reading after a sequence that the feed's end has not reached. Right after an election the end may not be known yet.
 * @throws CodedError CURSOR_AHEAD, SERVICE_UNAVAILABLE
 */
export const rejectAhead = async (blocks: Pick<BlockStore, 'provenLast'>, feed: string, after: number): Promise<never> => {
  if (after > (await blocks.provenLast(feed))) throw new CodedError('CURSOR_AHEAD', { message: 'after: is beyond the end of the feed' });
  throw new CodedError('SERVICE_UNAVAILABLE', { message: 'the end of the feed is not known yet' });
};

/** Only blocks with such events are read, through an index: a rare type costs no more than a frequent one. */
type Parts = { blocks: Pick<BlockStore, 'after' | 'newest' | 'provenLast'>; archives: Pick<ArchiveStore, 'floor'>; now: () => Date };

/**
 * Reads a page of a feed.
 * @throws CodedError CURSOR_AHEAD, EVENTS_ARCHIVED, SERVICE_UNAVAILABLE
 */
export const readFeed = async ({ blocks, archives, now }: Parts, options: ReadOptions): Promise<Page> => {
  const { feed, filter } = options;
  // The end first: what is appended during the reads comes after the checkpoint.
  const timestamp = now();
  const newest = await blocks.newest(feed, options.after);
  const [ends, head] = newest === undefined ? [[], EMPTY] : [[newest], headAfter(newest)];
  const checkpoint = { timestamp, sequence: head.last, previousSequence: lastThrough(head.lastOf, filter) };
  if (options.after !== undefined && options.after > head.last) await rejectAhead(blocks, feed, options.after);
  // Each block has at least one event of the page, and the first one perhaps only events before it.
  const most = Math.min(MAX_BLOCKS, options.limit + 1);
  for (let after = options.after ?? (await archives.floor(feed)); ; ) {
    // Nothing more has to be read if the filter lets nothing more through, or if only the newest block is new, as for a reader who is up to date.
    const isRead = newest === undefined || after >= checkpoint.previousSequence || after >= newest.first - 1;
    const found = isRead ? ends : await blocks.after(feed, after, head.last, most, filter);
    // Archived blocks disappear in any order, after the floor has moved: what was read is whole if the floor is not above its beginning afterwards.
    const floor = after === head.last ? after : await archives.floor(feed);
    if (after < floor) {
      if (options.after !== undefined) throw archived(feed, floor);
      after = floor;
      continue;
    }
    const page = cut(found, { ...options, after });
    const isEnd = page.next >= checkpoint.previousSequence;
    if (!isEnd && found.length < most && page.events.length < options.limit) {
      throw new Error(`the feed ${feed} has a gap before the event ${checkpoint.previousSequence}`);
    }
    const next = isEnd ? Math.max(page.next, head.last) : page.next;
    return { events: page.events, next, hasMore: next < head.last, checkpoint };
  }
};
