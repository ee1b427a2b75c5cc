import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';

const FRESH_SECONDS = 300;

const vaultKeys = z.object({
  keys: z.array(
    z.object({
      kty: z.literal('EC'),
      crv: z.literal('P-256'),
      x: z.string(),
      y: z.string(),
      kid: z.string().meta({ description: 'Thumbprint (RFC 7638)' }),
      use: z.literal('enc'),
      alg: z.literal('ECDH-ES'),
    }),
  ),
});

export const listVaultKeys = defineRoute({
  operationId: 'listVaultKeys',
  method: 'get',
  path: '/pci/keys',
  tag: 'PCI',
  summary: 'Get the keys of the vault',
  description:
    'Returns the public keys to which a new PIN is encrypted, as a JSON Web Key Set (RFC 7517), the newest first. The text that the wallet signs names the key: compare it.',
  policy: 'public',
  publicForSeconds: FRESH_SECONDS,
  answers: { 200: vaultKeys },
  errors: [],
  handler: async (_input, { upstream }) => vaultKeys.parse(JSON.parse((await upstream.cardData.listVaultKeys({})).jwksJson)),
});
