import type { WatchEventsRequest } from '@florin/proto/events/v1/feed_service';
import { serviceStream } from '@florin/rpc/server';
import { cursorOf } from '../domain/cursor.ts';
import { watchFeed } from '../reading/watch-feed.ts';
import type { Dependencies } from './dependencies.ts';
import { readerOf } from './fields.ts';
import { toWireCheckpoint, toWireEvents } from './to-wire.ts';

const HEARTBEAT_MS = 8000;

/** Streams per client, and of all clients together, at one instance. */
const LIMITS = { perClient: 32, total: 1024 };

export const watchEvents = ({ read, wake }: Dependencies) =>
  serviceStream(async function* (request: WatchEventsRequest, { caller, signal }) {
    const reader = readerOf(caller, request);
    for await (const { events, next, hasMore, checkpoint } of watchFeed({ ...reader, read, wake, signal, heartbeatMs: HEARTBEAT_MS })) {
      yield {
        events: toWireEvents(events, request.dataVersion),
        cursor: cursorOf(reader.feed, next),
        ...(hasMore ? {} : { checkpoint: toWireCheckpoint(checkpoint) }),
      };
    }
  }, LIMITS);
