import { defineRoute } from '../../http/define-route.ts';
import { DONE, done } from '../../schemas/fields.ts';

export const logout = defineRoute({
  operationId: 'logout',
  method: 'post',
  path: '/auth/logout',
  tag: 'Auth',
  summary: 'End the session',
  description: 'The access and the refresh token of the session stop working at once. Streams that it opened end.',
  policy: 'wallet',
  answers: { 200: done },
  errors: [],
  handler: async (_input, { upstream, asCaller, caller, revoked }) => {
    await upstream.sessions.endCurrentSession({}, asCaller);
    revoked(caller.sessionId);
    return DONE;
  },
});
