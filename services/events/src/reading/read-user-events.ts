import type { ArchiveStore } from '../store/archives.ts';
import type { BlockStore } from '../store/blocks.ts';
import { archived, type Page, type ReadOptions, rejectAhead } from './read-feed.ts';

export type UserReadOptions = ReadOptions & { userId: string };

type Parts = {
  blocks: Pick<BlockStore, 'last' | 'provenLast' | 'ofUserBetween' | 'lastOfUser'>;
  archives: Pick<ArchiveStore, 'floor'>;
  now: () => Date;
};

/** Reads a page after a place, of what is stored. */
const readAfter = async ({ blocks, now }: Parts, { feed, userId, filter, limit }: UserReadOptions, after: number): Promise<Page> => {
  const user = { feed, userId, filter };
  // The end first: what is appended during the reads comes after the checkpoint.
  const timestamp = now();
  const end = await blocks.last(feed, after);
  if (after > end) await rejectAhead(blocks, feed, after);
  const [found, before, lastOwn] = await Promise.all([
    after === end ? [] : blocks.ofUserBetween(user, after, end, limit + 1),
    after === 0 ? 0 : blocks.lastOfUser(user, after),
    blocks.lastOfUser(user, end),
  ]);
  const shown = found.slice(0, limit);
  const events = shown.map((event, index) => ({ ...event, previousSequence: shown[index - 1]?.sequence ?? before }));
  const hasMore = found.length > limit;
  const next = hasMore ? (shown.at(-1)?.sequence ?? after) : end;
  return { events, next, hasMore, checkpoint: { timestamp, sequence: end, previousSequence: lastOwn } };
};

/**
 * Reads a page of the events of one user: of the partner's feed, as a reader sees it whose filter lets nothing else through.
 * @throws CodedError CURSOR_AHEAD, EVENTS_ARCHIVED, SERVICE_UNAVAILABLE
 */
export const readUserEvents = async (parts: Parts, options: UserReadOptions): Promise<Page> => {
  const { feed, after } = options;
  for (let from = after ?? (await parts.archives.floor(feed)); ; ) {
    const page = await readAfter(parts, options, from);
    // Archived blocks disappear in any order, after the floor has moved: a page is whole if the floor is not above its beginning afterwards.
    const floor = await parts.archives.floor(feed);
    if (from >= floor) return page;
    if (after !== undefined) throw archived(feed, floor);
    from = floor;
  }
};
