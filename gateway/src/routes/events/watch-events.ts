import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { checkpoint, event, eventQuery, toCheckpoint, toEvent } from '../../schemas/event.ts';
import { end, endedBy } from './stream-end.ts';
import { feedsOf, toReader } from './to-reader.ts';

export const watchEvents = defineRoute({
  operationId: 'watchEvents',
  method: 'get',
  path: '/events/stream',
  tag: 'Events',
  summary: 'Watch events',
  description:
    'Returns server-sent events: those of the partner after the cursor, named by their type, and new ones as they happen. The id of an event is the cursor after it, so a client that reconnects with Last-Event-ID misses nothing; it takes precedence over `after`. A `checkpoint` event marks that the client has everything, at the start, when it has caught up, and every ten seconds. An `end` event tells why the server ends the stream: `TOKEN_ENDED` (sign a new token; tokens are valid for five minutes at most), `STOPPING` and `TOO_SLOW` (reconnect). The schema describes the `data` of an event. A partner can have 10 streams, then 429 `STREAM_LIMIT_REACHED`.',
  policy: 'partner',
  query: eventQuery,
  eventStream: { '*': event, checkpoint, end },
  answers: { 200: z.union([event, checkpoint, end]) },
  errors: ['CURSOR_INVALID', 'CURSOR_AHEAD', 'EVENTS_ARCHIVED', 'EVENT_TYPE_UNKNOWN'],
  handler: async function* ({ query }, { upstream, caller: { partnerId }, asCaller, lastEventId, signal }) {
    const { after, ...reader } = toReader(query);
    let id = lastEventId || after;
    let isFirst = true;
    try {
      for await (const message of feedsOf(upstream).watchEvents({ after: id, ...reader }, asCaller)) {
        for (const one of message.events.map(toEvent)) {
          id = `${partnerId}:${one.sequence}`;
          yield { id, event: one.type, data: one };
        }
        id = message.cursor;
        if (message.checkpoint !== undefined) yield { id, event: 'checkpoint', data: toCheckpoint(message.checkpoint) };
        isFirst = false;
      }
    } catch (error) {
      const code = endedBy(error, signal);
      if (code === undefined || isFirst) throw error;
      yield { id, event: 'end', data: { code } };
    }
  },
});
