import { daysMs, type RetentionRule } from '@florin/data/retention';
import { createBatchedInserts, createBatchedReads, rawCollection } from '@florin/data/store';
import { CodedError } from '@florin/rpc/errors';
import { type Connection, Schema } from 'mongoose';

/** The feed that an event belongs to, and the partner's user whom it concerns. */
export type Route = { feed: string; userId?: string };

/** `_id` is the event's id. */
type Document = Route & { _id: string; at: Date };

const COLLECTION = 'feed_routes';

const schema = new Schema<Document>({ _id: String }, { collection: COLLECTION, versionKey: false, strict: false }).index({ at: 1 });

/** Once an event is in a feed, its key binds it. */
export const routeRule: RetentionRule = { collection: COLLECTION, keptMs: daysMs(1), due: (before) => ({ at: { $lt: before } }) };

/** Routes of events that two relays may find different feeds for: the first one binds. */
export const createRouteStore = (connection: Connection, now: () => Date) => {
  const collection = rawCollection(connection.model<Document>('FeedRoute', schema));
  const insert = createBatchedInserts<Document>(collection);
  const read = createBatchedReads<Document>(collection);
  return {
    /** Binds an event to a route. @returns the route to which it is bound. @throws CodedError SERVICE_UNAVAILABLE */
    bind: async (eventId: string, route: Route): Promise<Route> => {
      if (await insert({ _id: eventId, ...route, at: now() })) return route;
      const bound = await read(eventId);
      // A primary that was just elected may not show it yet.
      if (bound === undefined) throw new CodedError('SERVICE_UNAVAILABLE', { message: 'the route of an event cannot be read' });
      const { _id, at, ...first } = bound;
      return first;
    },
  };
};

export type RouteStore = ReturnType<typeof createRouteStore>;
