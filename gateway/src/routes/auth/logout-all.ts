import { defineRoute } from '../../http/define-route.ts';
import { DONE, done } from '../../schemas/fields.ts';

export const logoutAll = defineRoute({
  operationId: 'logoutAll',
  method: 'post',
  path: '/auth/logout-all',
  tag: 'Auth',
  summary: 'Log out everywhere',
  description:
    "Ends all of the caller's sessions at the partner, on all devices and of all wallets, the current one included. Their tokens stop working immediately, and their event streams end.",
  policy: 'wallet',
  answers: { 200: done },
  errors: [],
  handler: async (_input, { upstream, asCaller, caller, revoked }) => {
    await upstream.sessions.endAllSessions({}, asCaller);
    revoked(caller.sessionId);
    return DONE;
  },
});
