import type { ListEventsRequest } from '@florin/proto/events/v1/feed_service';
import { serviceMethod } from '@florin/rpc/server';
import { cursorOf } from '../domain/cursor.ts';
import type { Dependencies } from './dependencies.ts';
import { readerOf, toLimit } from './fields.ts';
import { toWireCheckpoint, toWireEvents } from './to-wire.ts';

export const listEvents = ({ read }: Dependencies) =>
  serviceMethod(async (request: ListEventsRequest, { caller }) => {
    const reader = readerOf(caller, request);
    const { events, next, hasMore, checkpoint } = await read({ ...reader, limit: toLimit(request.limit) });
    return {
      events: toWireEvents(events, request.dataVersion),
      cursor: cursorOf(reader.feed, next),
      hasMore,
      checkpoint: toWireCheckpoint(checkpoint),
    };
  });
