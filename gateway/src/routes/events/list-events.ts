import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { checkpoint, cursor, event, eventQuery, toCheckpoint, toEvent } from '../../schemas/event.ts';
import { feedsOf, toReader } from './to-reader.ts';

const DEFAULT_LIMIT = 100;

/** Reads a number as JSON would; any other text stays a text and is rejected. */
const readNumber = (text: unknown): unknown => (typeof text === 'string' && /^\d{1,4}$/.test(text) ? Number(text) : text);

export const listEvents = defineRoute({
  operationId: 'listEvents',
  method: 'get',
  path: '/events',
  tag: 'Events',
  summary: 'List events',
  description:
    'Returns the events of the partner after a cursor, oldest first. Nothing can be missing unseen: each event names the one before it that the filter lets through, and `checkpoint` the last one of all. Go on at `cursor` while `hasMore` is true, and later for new events.',
  policy: 'partner',
  query: eventQuery.extend({
    limit: z
      .preprocess(readNumber, z.int().min(1).max(500))
      .default(DEFAULT_LIMIT)
      .meta({
        override: { type: 'integer', minimum: 1, maximum: 500, default: DEFAULT_LIMIT },
        description: 'Maximum number of events to return',
      }),
  }),
  answers: {
    200: z.object({
      data: z.array(event),
      cursor,
      hasMore: z.boolean().meta({ description: 'Whether there were further events, of any type, after the cursor' }),
      checkpoint,
    }),
  },
  errors: ['CURSOR_INVALID', 'CURSOR_AHEAD', 'EVENTS_ARCHIVED', 'EVENT_TYPE_UNKNOWN'],
  handler: async ({ query }, { upstream, asCaller }) => {
    const page = await feedsOf(upstream).listEvents({ ...toReader(query), limit: query.limit }, asCaller);
    return { data: page.events.map(toEvent), cursor: page.cursor, hasMore: page.hasMore, checkpoint: toCheckpoint(page.checkpoint) };
  },
});
