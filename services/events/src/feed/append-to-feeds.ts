import type { FeedEvent } from '../domain/feed-event.ts';
import type { RouteStore } from '../store/routes.ts';
import type { Appended, AppendToFeed } from './append.ts';
import type { Concern, FindFeed } from './find-feed.ts';

/** An event, and what it says about whom it concerns. */
export type Unplaced = { event: FeedEvent; concern: Concern };

/** Dependencies of appending. */
export type Appending = { append: AppendToFeed; findFeed: FindFeed; routes: RouteStore };

type Routed = { feed: string; event: FeedEvent };

const route = async ({ findFeed, routes }: Appending, { event, concern }: Unplaced): Promise<Routed> => {
  const { mayMove, ...found } = await findFeed(concern);
  const { feed, userId } = mayMove ? await routes.bind(event.id, found) : found;
  return { feed, event: userId === undefined ? event : { ...event, userId } };
};

/**
 * Appends events to the feeds that they belong to.
 * @returns one outcome per event, in their order
 * @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
 */
export const appendToFeeds = async (parts: Appending, events: readonly Unplaced[]): Promise<Appended[]> => {
  const routed = await Promise.all(events.map((one) => route(parts, one)));
  const outcomes = new Map<Routed, Appended>();
  await Promise.all(
    [...Map.groupBy(routed, ({ feed }) => feed)].map(async ([feed, ofFeed]) => {
      const appended = await parts.append(
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
