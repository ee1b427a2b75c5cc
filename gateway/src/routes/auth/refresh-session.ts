import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { session, toSession } from '../../schemas/session.ts';

export const refreshSession = defineRoute({
  operationId: 'refreshSession',
  method: 'post',
  path: '/auth/refresh',
  tag: 'Auth',
  summary: 'Next pair of tokens',
  description: 'A refresh token is used once. Using a rotated one again after a few seconds ends the session (RFC 9700, 4.14.2).',
  policy: 'public',
  rateLimit: 'auth',
  body: z.object({ refreshToken: z.string().min(1).max(512) }),
  answers: { 200: session },
  errors: ['INVALID_REFRESH_TOKEN', 'REFRESH_TOKEN_REUSED'],
  handler: async ({ body: { refreshToken } }, { upstream, asGateway, now }) => {
    const { tokens } = await upstream.auth.refreshSession({ refreshToken }, asGateway);
    return toSession(tokens, now());
  },
});
