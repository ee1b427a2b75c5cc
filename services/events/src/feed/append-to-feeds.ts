import type { FeedEvent } from '../domain/feed-event.ts';
import type { Appended, AppendToFeed } from './append.ts';

/** An event and the feed that it belongs to. */
export type Routed = { feed: string; event: FeedEvent };

/** Appends events to their feeds. @returns one outcome per event, in their order */
export const appendToFeeds = async (append: AppendToFeed, routed: readonly Routed[]): Promise<Appended[]> => {
  const outcomes = new Map<Routed, Appended>();
  await Promise.all(
    [...Map.groupBy(routed, ({ feed }) => feed)].map(async ([feed, ofFeed]) => {
      const appended = await append(
        feed,
        ofFeed.map(({ event }) => event),
      );
      for (const [index, one] of ofFeed.entries()) {
        const outcome = appended[index];
        if (outcome !== undefined) outcomes.set(one, outcome);
      }
    }),
  );
  return routed.map((one) => {
    const outcome = outcomes.get(one);
    if (outcome === undefined) throw new Error('an event has no outcome');
    return outcome;
  });
};
