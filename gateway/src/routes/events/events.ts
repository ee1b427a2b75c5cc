import { CodedError } from '@florin/rpc/errors';
import { z } from 'zod';
import { defineRoute, STREAM_ENDS, type StreamEnd } from '../../http/define-route.ts';
import { checkpoint, event, eventQuery, toCheckpoint, toEvent, toPage } from '../../schemas/event.ts';
import { eventPage, pageQuery } from './pages.ts';
import { feedsOf, growthOf, toReader } from './to-reader.ts';

/** The data of the last event of a stream. */
const end = z.object({ code: z.enum(STREAM_ENDS) }).meta({ id: 'EventsEnd' });

/** Why a stream fails: the caller's token expired at the service first; undefined for everything else. */
const endedBy = (error: unknown, signal: AbortSignal): StreamEnd | undefined => {
  if (signal.aborted) return STREAM_ENDS.find((code) => code === signal.reason) ?? 'STOPPING';
  return error instanceof CodedError && error.code === 'UNAUTHORIZED' ? 'TOKEN_ENDED' : undefined;
};

export const listEvents = defineRoute({
  operationId: 'listEvents',
  method: 'get',
  path: '/events',
  tag: 'Events',
  summary: 'List events',
  description:
    'Returns the events of the partner after a cursor, oldest first. Nothing can be missing unseen: each event names the one before it that the filter lets through, and `checkpoint` the last one of all. Go on at `cursor` while `hasMore` is true, and later for new events.',
  policy: 'partner',
  query: pageQuery,
  answers: { 200: eventPage },
  errors: ['CURSOR_INVALID', 'CURSOR_AHEAD', 'EVENTS_ARCHIVED', 'EVENT_TYPE_UNKNOWN'],
  handler: async ({ query }, { upstream, asCaller }) =>
    toPage(await feedsOf(upstream).listEvents({ ...toReader(query), limit: query.limit }, asCaller)),
});

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

export const listUserEvents = defineRoute({
  operationId: 'listUserEvents',
  method: 'get',
  path: '/user/events',
  tag: 'Events',
  summary: 'List the events of the user',
  description:
    'Returns the events of the caller’s own cards, payments, challenges, account and movements after a cursor, oldest first. It is the partner’s feed through a filter that lets nothing else through: each event names the one before it that the filter lets through, and `checkpoint` the last one of all, so nothing can be missing unseen. Go on at `cursor` while `hasMore` is true, and later for new events.',
  policy: 'user',
  query: pageQuery,
  answers: { 200: eventPage },
  errors: ['CURSOR_INVALID', 'CURSOR_AHEAD', 'EVENTS_ARCHIVED', 'EVENT_TYPE_UNKNOWN'],
  handler: async ({ query }, { upstream, asCaller }) =>
    toPage(await feedsOf(upstream).listUserEvents({ ...toReader(query), limit: query.limit }, asCaller)),
});

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
