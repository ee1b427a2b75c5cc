import { defineRoute } from '../../http/define-route.ts';
import { toPage } from '../../schemas/event.ts';
import { eventPage, pageQuery } from './pages.ts';
import { feedsOf, toReader } from './to-reader.ts';

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
