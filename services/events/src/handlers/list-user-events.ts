import type { ListUserEventsRequest } from '@florin/proto/events/v1/feed_service';
import { userOfCall, userOrServiceMethod } from '@florin/rpc/server';
import { cursorOf, parseCursor } from '../domain/cursor.ts';
import { parseTypes } from '../domain/type-filter.ts';
import type { Dependencies } from './dependencies.ts';
import { feedOf, toLimit } from './fields.ts';
import { toWireCheckpoint, toWireEvents } from './to-wire.ts';

export const listUserEvents = ({ readOfUser }: Dependencies) =>
  userOrServiceMethod(async (request: ListUserEventsRequest, { caller }) => {
    const { partnerId, after, types, limit } = request;
    const userId = userOfCall(request, caller);
    const feed = caller.kind === 'service' ? feedOf(caller, partnerId) : caller.partnerId;
    const options = { feed, userId, after: parseCursor(feed, after), filter: parseTypes(types), limit: toLimit(limit) };
    const { events, next, hasMore, checkpoint } = await readOfUser(options);
    return {
      events: toWireEvents(events, request.dataVersion),
      cursor: cursorOf(feed, next),
      hasMore,
      checkpoint: toWireCheckpoint(checkpoint),
    };
  });
