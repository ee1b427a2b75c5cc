import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { webhooksOf } from './webhooks-of.ts';

const FRESH_SECONDS = 300;

const webhookKeys = z.object({
  keys: z.array(
    z.object({
      kty: z.literal('OKP'),
      crv: z.literal('Ed25519'),
      x: z.string(),
      kid: z.string().meta({ description: 'Thumbprint (RFC 7638)' }),
      use: z.literal('sig'),
      alg: z.literal('EdDSA'),
    }),
  ),
});

export const listWebhookKeys = defineRoute({
  operationId: 'listWebhookKeys',
  method: 'get',
  path: '/.well-known/webhooks/jwks.json',
  tag: 'Webhooks',
  summary: 'Get the keys of webhooks',
  description:
    'Returns the public keys that verify the signatures `v1a` of deliveries, as a JSON Web Key Set (RFC 7517), the newest first. They sign nothing else: those of access tokens are another set.',
  policy: 'public',
  publicForSeconds: FRESH_SECONDS,
  answers: { 200: webhookKeys },
  errors: [],
  handler: async (_input, { upstream }) => webhookKeys.parse(JSON.parse((await webhooksOf(upstream).listWebhookKeys({})).jwksJson)),
});
