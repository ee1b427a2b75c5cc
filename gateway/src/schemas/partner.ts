import type { PartnerClient } from '@florin/proto/identity/v1/partner_client_service';
import { z } from 'zod';
import { dateTime, present, toIso } from './fields.ts';
import { printable } from './text.ts';

/** RFC 8037, section 2. Other members of a JWK may be there, but the private one must not leave the partner's server. */
const publicKey = z
  .object({
    kty: z.literal('OKP'),
    crv: z.literal('Ed25519'),
    x: z
      .string()
      .regex(/^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/, 'must be 32 bytes in base64url')
      .meta({ examples: ['11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo'] }),
    kid: z.string().max(255).exactOptional().meta({ description: 'Ignored: the id of the client is the thumbprint of the key' }),
    alg: z.literal('EdDSA').exactOptional(),
    use: z.literal('sig').exactOptional(),
  })
  .meta({ description: 'Public half of an Ed25519 key as JSON Web Key (RFC 8037). A private half (`d`) is rejected.' });

export const newPartnerKey = {
  name: printable(60).meta({ description: 'Name of the key for people', examples: ['books-server'] }),
  jwk: publicKey,
};

export const partnerScopes = z
  .array(z.string().min(1).max(64))
  .min(1)
  .max(20)
  .optional()
  .meta({ description: 'Scopes of the key, out of those that your token carries. Default: all of them.' });

const THUMBPRINT = /^[A-Za-z0-9_-]{43}$/;

export const clientId = z
  .string()
  .regex(THUMBPRINT, 'must be a thumbprint')
  .meta({
    description: 'Thumbprint of the key (RFC 7638): `kid`, `iss` and `sub` of the tokens that it signs',
    examples: ['kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k'],
  });

export const partnerKey = z
  .object({
    clientId,
    partnerId: z.string().meta({ description: 'The partner whose events and users its tokens reach', examples: ['acme'] }),
    name: z.string(),
    scopes: z.array(z.string()).meta({ description: 'Scopes that its tokens may carry', examples: [['events.read', 'webhooks.manage']] }),
    createdAt: dateTime,
    registeredBy: clientId.optional().meta({
      description: 'The key of the partner with whose token it was registered; absent if the platform let it in',
      examples: ['kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k'],
    }),
    expiresAt: dateTime.optional().meta({ description: 'When the key ends by itself: those of a sandbox do' }),
  })
  .meta({ id: 'PartnerClient' });

export const toPartnerKey = (wire: PartnerClient | undefined): z.output<typeof partnerKey> => {
  const { clientId: id, partnerId, name, scopes, createdAt, registeredBy, expiresAt } = present(wire, 'the client');
  // Names of the platform's own clients stay inside.
  const author = THUMBPRINT.test(registeredBy) ? { registeredBy } : {};
  const ends = expiresAt === undefined ? {} : { expiresAt: toIso(expiresAt) };
  return { clientId: id, partnerId, name, scopes, createdAt: toIso(createdAt), ...author, ...ends };
};
