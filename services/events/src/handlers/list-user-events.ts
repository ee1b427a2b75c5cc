import type { ListUserEventsRequest } from '@florin/proto/events/v1/feed_service';
import { EVENTS_SCOPES } from '@florin/proto/events/v1/scopes';
import { parseRequest, userOfCall, userOrServiceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { cursorOf, parseCursor } from '../domain/cursor.ts';
import { parseTypes } from '../domain/type-filter.ts';
import type { Dependencies } from './dependencies.ts';
import { feedOf, limitField, readerFields, toLimit } from './fields.ts';
import { toWireCheckpoint, toWireEvent } from './to-wire.ts';

const requestSchema = z.object({
  partnerId: readerFields.partnerId,
  after: readerFields.after,
  types: readerFields.types,
  limit: limitField,
});

/** @throws CodedError FORBIDDEN, CURSOR_INVALID, CURSOR_AHEAD, EVENTS_ARCHIVED, EVENT_TYPE_UNKNOWN, VALIDATION_FAILED */
export const listUserEvents = ({ readOfUser }: Dependencies) =>
  userOrServiceMethod(EVENTS_SCOPES.read, async (request: ListUserEventsRequest, { caller }) => {
    const { partnerId, after, types, limit } = parseRequest(requestSchema, request);
    const userId = userOfCall(request, caller);
    const feed = caller.kind === 'service' ? feedOf(caller, partnerId) : caller.partnerId;
    const options = { feed, userId, after: parseCursor(feed, after), filter: parseTypes(types), limit: toLimit(limit) };
    const { events, next, hasMore, checkpoint } = await readOfUser(options);
    return { events: events.map(toWireEvent), cursor: cursorOf(feed, next), hasMore, checkpoint: toWireCheckpoint(checkpoint) };
  });
