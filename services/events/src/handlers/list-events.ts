import type { ListEventsRequest } from '@florin/proto/events/v1/feed_service';
import { EVENTS_SCOPES } from '@florin/proto/events/v1/scopes';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { cursorOf } from '../domain/cursor.ts';
import type { Dependencies } from './dependencies.ts';
import { limitField, readerFields, readerOf, toLimit } from './fields.ts';
import { toWireCheckpoint, toWireEvent } from './to-wire.ts';

const requestSchema = z.object({ ...readerFields, limit: limitField });

/** @throws CodedError CURSOR_INVALID, CURSOR_AHEAD, EVENTS_ARCHIVED, EVENT_TYPE_UNKNOWN, FORBIDDEN, VALIDATION_FAILED */
export const listEvents = ({ read }: Dependencies) =>
  serviceMethod(EVENTS_SCOPES.read, async (request: ListEventsRequest, { caller }) => {
    const { limit, ...asked } = parseRequest(requestSchema, request);
    const reader = readerOf(caller, asked);
    const { events, next, hasMore, checkpoint } = await read({ ...reader, limit: toLimit(limit) });
    return { events: events.map(toWireEvent), cursor: cursorOf(reader.feed, next), hasMore, checkpoint: toWireCheckpoint(checkpoint) };
  });
