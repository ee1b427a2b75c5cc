import { defineRoute } from '../../http/define-route.ts';
import { DONE, done } from '../../schemas/fields.ts';

export const logout = defineRoute({
  operationId: 'logout',
  method: 'post',
  path: '/auth/logout',
  tag: 'Auth',
  summary: 'Log out',
  description: 'Ends the session of the access token. Its access and refresh tokens stop working immediately, and its event streams end.',
  policy: 'wallet',
  answers: { 200: done },
  errors: [],
  handler: async (_input, { upstream, asCaller, caller, revoked }) => {
    await upstream.sessions.endCurrentSession({}, asCaller);
    revoked(caller.sessionId);
    return DONE;
  },
});
