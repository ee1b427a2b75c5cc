import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { DONE, done, id } from '../../schemas/fields.ts';

export const endSession = defineRoute({
  operationId: 'endSession',
  method: 'delete',
  path: '/auth/sessions/{id}',
  tag: 'Auth',
  summary: 'End a session',
  description: "Ends one of the caller's sessions. Its tokens stop working immediately, and its event streams end.",
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
