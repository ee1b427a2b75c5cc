import { parseCursor } from '../domain/cursor.ts';
import type { Page, ReadOptions } from '../reading/read-feed.ts';

type Parts = { read: (options: ReadOptions) => Promise<Page> };

/**
 * Sequence after which deliveries begin.
 * @param after a cursor; undefined for the end of the feed, empty for the oldest event that is kept
 * @throws CodedError CURSOR_INVALID, CURSOR_AHEAD, EVENTS_ARCHIVED
 */
export const startOf = async ({ read }: Parts, feed: string, after: string | undefined): Promise<number> => {
  const sequence = after === undefined ? undefined : parseCursor(feed, after);
  const page = await read({ feed, after: sequence, filter: undefined, limit: 1 });
  if (after === undefined) return page.checkpoint.sequence;
  return sequence ?? page.next - page.events.length;
};
