import { defineRoute } from '../../http/define-route.ts';
import { signedMessage } from '../../schemas/signed-message.ts';
import { tokenPair, toTokenPair } from '../../schemas/token-pair.ts';

export const signIn = defineRoute({
  operationId: 'signIn',
  method: 'post',
  path: '/auth/siwe',
  tag: 'Auth',
  summary: 'Sign in',
  description:
    'Opens a session for the wallet that signed a message of `GET /auth/siwe/{address}`. With a DPoP proof, the session and its tokens are bound to the key of the proof.',
  policy: 'public',
  rateLimit: 'auth',
  body: signedMessage,
  answers: { 200: tokenPair },
  errors: ['INVALID_SIGNATURE', 'NONCE_EXPIRED', 'NONCE_USED', 'DOMAIN_NOT_ALLOWED'],
  // On this operation the signature is the caller's credential.
  statusOf: { INVALID_SIGNATURE: 401 },
  acceptsProof: true,
  handler: async ({ body: { message, signature: signed } }, { upstream, asGateway, peer: { ip, userAgent }, proofKey, now }) => {
    const request = { message, signature: signed, ip, userAgent, dpopJkt: proofKey };
    const { tokens } = await asGateway((options) => upstream.auth.signIn(request, options));
    return toTokenPair(tokens, now());
  },
});
