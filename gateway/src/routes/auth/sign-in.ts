import { defineRoute } from '../../http/define-route.ts';
import { session, toSession } from '../../schemas/session.ts';
import { signedMessage } from '../../schemas/signed-message.ts';

export const signIn = defineRoute({
  operationId: 'signIn',
  method: 'post',
  path: '/auth/siwe',
  tag: 'Auth',
  summary: 'Sign in with a signed message',
  policy: 'public',
  rateLimit: 'auth',
  body: signedMessage,
  answers: { 200: session },
  errors: ['INVALID_SIGNATURE', 'NONCE_EXPIRED', 'NONCE_USED', 'DOMAIN_NOT_ALLOWED'],
  // Here a bad signature is a credential that was not accepted.
  statusOf: { INVALID_SIGNATURE: 401 },
  handler: async ({ body: { message, signature: signed } }, { upstream, asGateway, peer: { ip, userAgent }, now }) => {
    const { tokens } = await upstream.auth.signIn({ message, signature: signed, ip, userAgent }, asGateway);
    return toSession(tokens, now());
  },
});
