import { JWKS_PATH } from '@florin/rpc/auth';
import { KEYS_FRESH_SECONDS, publishedKeysSchema } from '../../clients/published-keys.ts';
import { defineRoute } from '../../http/define-route.ts';

export const getPublishedKeys = defineRoute({
  operationId: 'getPublishedKeys',
  method: 'get',
  path: JWKS_PATH,
  tag: 'Auth',
  summary: 'Get the token keys',
  description: 'Returns the public keys that verify access tokens, as a JSON Web Key Set (RFC 7517).',
  policy: 'public',
  publicForSeconds: KEYS_FRESH_SECONDS,
  answers: { 200: publishedKeysSchema },
  errors: [],
  handler: (_input, { upstream }) => upstream.publishedKeys(),
});
