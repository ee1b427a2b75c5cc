import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { DONE, done, id } from '../../schemas/fields.ts';

export const endSession = defineRoute({
  operationId: 'endSession',
  method: 'delete',
  path: '/auth/sessions/{id}',
  tag: 'Auth',
  summary: 'End one of the sessions',
  description: 'Its tokens stop working at once, as with a logout there.',
  policy: 'wallet',
  params: z.object({ id }),
  answers: { 200: done },
  errors: ['NOT_FOUND'],
  handler: async ({ params }, { upstream, asCaller, revoked }) => {
    await upstream.sessions.endSession({ sessionId: params.id }, asCaller);
    revoked(params.id);
    return DONE;
  },
});
