import { defineRoute } from '../../http/define-route.ts';
import { PAGE_SESSION_PATH } from '../../http/page-session.ts';
import { signedMessage } from '../../schemas/signed-message.ts';
import { keepTokens, pageTokens } from './page-tokens.ts';

export const openPageSession = defineRoute({
  operationId: 'openPageSession',
  method: 'post',
  path: PAGE_SESSION_PATH,
  tag: 'Auth',
  summary: 'Sign in on a page of this origin',
  policy: 'page',
  rateLimit: 'auth',
  body: signedMessage,
  answers: { 200: pageTokens },
  errors: ['INVALID_SIGNATURE', 'NONCE_EXPIRED', 'NONCE_USED', 'DOMAIN_NOT_ALLOWED'],
  // On this operation the signature is the caller's credential.
  statusOf: { INVALID_SIGNATURE: 401 },
  handler: async ({ body: { message, signature } }, { caller: page, upstream, asGateway, peer: { ip, userAgent }, now }) => {
    const { tokens } = await asGateway((options) => upstream.auth.signIn({ message, signature, ip, userAgent }, options));
    return keepTokens(page, tokens, now());
  },
});
