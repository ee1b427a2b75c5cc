import { CodedError } from '@florin/rpc/errors';
import { cursorOf } from '../domain/cursor.ts';
import type { BlockStore } from '../store/blocks.ts';
import type { Page, ReadOptions } from './read-feed.ts';

export type UserReadOptions = ReadOptions & { userId: string };

type Blocks = Pick<BlockStore, 'last' | 'firstKept' | 'ofUserBetween' | 'lastOfUser'>;

/**
 * Reads a page of the events of one user: of the partner's feed, as a reader sees it whose filter lets nothing else through.
 * @throws CodedError CURSOR_AHEAD, EVENTS_ARCHIVED
 */
export const readUserEvents = async (blocks: Blocks, now: () => Date, options: UserReadOptions): Promise<Page> => {
  const { feed, userId, filter, limit, after = 0 } = options;
  const user = { feed, userId, filter };
  // The end first: what is appended during the reads comes after the checkpoint.
  const timestamp = now();
  const end = await blocks.last(feed);
  if (after > end) throw new CodedError('CURSOR_AHEAD', { message: 'after: is beyond the end of the feed' });
  const [found, before, lastOwn] = await Promise.all([
    after === end ? [] : blocks.ofUserBetween(user, after, end, limit + 1),
    after === 0 ? 0 : blocks.lastOfUser(user, after),
    blocks.lastOfUser(user, end),
  ]);
  // The beginning last: it shows if something was archived during the reads.
  const begins = ((await blocks.firstKept(feed)) ?? 1) - 1;
  if (options.after !== undefined && after < begins) {
    const metadata = { firstCursor: cursorOf(feed, begins) };
    throw new CodedError('EVENTS_ARCHIVED', { message: 'after: the next events are in archive files', metadata });
  }
  const shown = found.slice(0, limit);
  const events = shown.map((event, index) => ({ ...event, previousSequence: shown[index - 1]?.sequence ?? before }));
  const hasMore = found.length > limit;
  const next = hasMore ? (shown.at(-1)?.sequence ?? after) : end;
  return { events, next, hasMore, checkpoint: { timestamp, sequence: end, previousSequence: lastOwn } };
};
