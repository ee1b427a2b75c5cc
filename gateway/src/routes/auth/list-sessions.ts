import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { pageQuery, pagination, toPageRequest, toPagination } from '../../schemas/page.ts';
import { session, toSession } from '../../schemas/session.ts';

export const listSessions = defineRoute({
  operationId: 'listSessions',
  method: 'get',
  path: '/auth/sessions',
  tag: 'Auth',
  summary: 'List sessions',
  description: 'Returns the active sessions of the caller, newest first: those of the wallet, or of all wallets of the user.',
  policy: 'wallet',
  query: pageQuery,
  answers: { 200: z.object({ data: z.array(session), pagination }) },
  errors: [],
  handler: async ({ query }, { upstream, asCaller }) => {
    const { sessions, page } = await upstream.sessions.listSessions({ page: toPageRequest(query) }, asCaller);
    return { data: sessions.map(toSession), pagination: toPagination(page) };
  },
});
