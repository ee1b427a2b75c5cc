import { defineRoute } from '../../http/define-route.ts';
import { toPage } from '../../schemas/event.ts';
import { eventPage, pageQuery } from './pages.ts';
import { feedsOf, toReader } from './to-reader.ts';

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
