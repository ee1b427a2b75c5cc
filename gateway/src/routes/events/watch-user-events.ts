import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { checkpoint, event, eventQuery, toPage } from '../../schemas/event.ts';
import { end, endedBy } from './stream-end.ts';
import { feedsOf, growthOf, toReader } from './to-reader.ts';

/** Longest time between two looks, for the case that nothing tells that there are new events. */
const LOOK_MS = 30_000;

const LIMIT = 100;

export const watchUserEvents = defineRoute({
  operationId: 'watchUserEvents',
  method: 'get',
  path: '/user/events/stream',
  tag: 'Events',
  summary: 'Watch the events of the user',
  description:
    'Returns server-sent events: those of `GET /user/events` after the cursor, named by their type, and new ones as they happen. The id of an event is the cursor after it, so a client that reconnects with Last-Event-ID misses nothing; it takes precedence over `after`. A `checkpoint` event marks that the client has everything, at the start, when it has caught up, and every 30 seconds. An `end` event tells why the server ends the stream: `TOKEN_ENDED` (get a new token), `STOPPING` and `TOO_SLOW` (reconnect). The schema describes the `data` of an event. A user can have 10 streams, then 429 `STREAM_LIMIT_REACHED`.',
  policy: 'user',
  query: eventQuery,
  eventStream: { '*': event, checkpoint, end },
  answers: { 200: z.union([event, checkpoint, end]) },
  errors: ['CURSOR_INVALID', 'CURSOR_AHEAD', 'EVENTS_ARCHIVED', 'EVENT_TYPE_UNKNOWN'],
  handler: async function* ({ query }, { upstream, caller: { userId, partnerId }, asCaller, lastEventId, signal }) {
    const { after, ...reader } = toReader(query);
    let id = lastEventId || after;
    let isFirst = true;
    let stop = new AbortController();
    try {
      while (!signal.aborted) {
        stop = new AbortController();
        // Registered before the look: what happens meanwhile ends the wait.
        const grown = growthOf(upstream).wait(userId, LOOK_MS, AbortSignal.any([signal, stop.signal]));
        const page = toPage(await feedsOf(upstream).listUserEvents({ after: id, ...reader, limit: LIMIT }, asCaller));
        for (const one of page.data) {
          id = `${partnerId}:${one.sequence}`;
          yield { id, event: one.type, data: one };
        }
        id = page.cursor;
        isFirst = false;
        if (page.hasMore) stop.abort();
        else yield { id, event: 'checkpoint', data: page.checkpoint };
        await grown;
      }
      signal.throwIfAborted();
    } catch (error) {
      const code = endedBy(error, signal);
      if (code === undefined || isFirst) throw error;
      yield { id, event: 'end', data: { code } };
    } finally {
      stop.abort();
    }
  },
});
