import { CardDataAction } from '@florin/proto/vault/v1/card_data_service';
import { z } from 'zod';

const ACTIONS = {
  [CardDataAction.VIEW_DETAILS]: 'view-details',
  [CardDataAction.VIEW_PIN]: 'view-pin',
  [CardDataAction.SET_PIN]: 'set-pin',
} as const;

/** The actions that a wallet can consent to. */
export const CARD_DATA_ACTIONS = ACTIONS;

/** Words of the access log: the actions, and the sealing for the card processor. */
export const ACCESS_WORDS = { ...ACTIONS, [CardDataAction.UNSPECIFIED]: 'seal' } as const;

/** SHA-256 thumbprint of a public key (RFC 7638). */
export const thumbprint = z
  .string()
  .regex(/^[A-Za-z0-9_-]{43}$/, 'must be a SHA-256 thumbprint in base64url')
  .meta({ description: "Thumbprint (RFC 7638, SHA-256, base64url) of the app's P-256 key" });

const coordinate = z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'must be 32 bytes in base64url');

/**
 * The public key that receives card data. The vault rejects a private part, so that apps learn of the mistake. Other members, for example those that Web Crypto
 * exports, are ignored (RFC 7517, section 4).
 */
export const receivingKey = z
  .looseObject({
    kty: z.literal('EC'),
    crv: z.literal('P-256'),
    x: coordinate,
    y: coordinate,
    d: z.string().max(64).optional().meta({ description: 'Private part: must be absent' }),
  })
  .meta({ description: 'Public key as JSON Web Key (RFC 7517): kty, crv, x and y' });

/** Compact JWE (RFC 7516) of ECDH-ES with A256GCM. */
export const jwe = z
  .string()
  .max(4096)
  .regex(/^[A-Za-z0-9_-]+\.\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*\.[A-Za-z0-9_-]+$/, 'must be a compact JWE with direct key agreement')
  .meta({ description: 'Compact JWE (RFC 7516): ECDH-ES with A256GCM' });
