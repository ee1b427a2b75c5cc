import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { opaque } from '../../schemas/text.ts';
import { tokenPair, toTokenPair } from '../../schemas/token-pair.ts';

export const refreshSession = defineRoute({
  operationId: 'refreshSession',
  method: 'post',
  path: '/auth/refresh',
  tag: 'Auth',
  summary: 'Refresh the tokens',
  description:
    'Exchanges a refresh token for a new pair of tokens. A refresh token can be used once: using it again more than a few seconds later ends the session (RFC 9700, section 4.14.2). A session that is bound to a key requires a proof by the same key; one that is not bound rejects a proof.',
  policy: 'public',
  rateLimit: 'auth',
  body: z.object({ refreshToken: opaque(512) }),
  answers: { 200: tokenPair },
  errors: ['INVALID_REFRESH_TOKEN', 'REFRESH_TOKEN_REUSED'],
  acceptsProof: true,
  handler: async ({ body: { refreshToken } }, { upstream, asGateway, proofKey, now }) => {
    const { tokens } = await asGateway((options) => upstream.auth.refreshSession({ refreshToken, dpopJkt: proofKey }, options));
    return toTokenPair(tokens, now());
  },
});
