import { auditShape } from '@florin/data/audit';
import { storeShape } from '@florin/data/store';
import { httpUrl, json, serviceShape, versionedKeys } from '@florin/rpc/config';
import { z } from 'zod';

/** Card networks give out BINs of six or eight digits; an issuer may own a part of one. Four digits are left for the smallest range. */
const numberRange = z.object({
  prefix: z.string().regex(/^[1-9]\d{5,10}$/, 'must have 6 to 11 digits'),
  network: z.enum(['visa', 'mastercard']),
});

/** A public key (JWK, RFC 7517): P-256. */
const publicKey = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
  y: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
});

export const configShape = {
  ...serviceShape,
  ...storeShape,
  ...auditShape,
  MONGODB_DATABASE: storeShape.MONGODB_DATABASE.default('florin_vault'),
  /** Identity service: publishes the keys that verify user tokens, holds the users' wallets, and asks Safes. */
  IDENTITY_URL: httpUrl,
  /** Card service: knows which cards may be revealed. */
  CARD_URL: httpUrl,
  /** Ledger service: knows the chain and the Safe of the user's account. */
  LEDGER_URL: httpUrl,
  /**
   * Key-encryption keys, `[{"id":"2","key":"<32 bytes in base64url>"},…]`. The first one wraps, all of them unwrap. The vault wraps
   * everything anew with the first one while it serves. Losing them loses all card numbers.
   */
  VAULT_MASTER_KEYS: versionedKeys,
  /** Number ranges that cards are issued from, `[{"prefix":"40000012","network":"visa"}]`. Default: test numbers, in the sandbox only. */
  CARD_RANGES: json(z.array(numberRange).min(1).max(16)).optional(),
  /** Public key (JWK, P-256) of the card processor, to which SealCardNumber encrypts. Unset: SealCardNumber is not available. */
  PROCESSOR_KEY: json(publicKey).optional(),
  /** How often the data or PIN of one card may be shown or set in a day (UTC). */
  REVEALS_PER_DAY: z.coerce.number().int().min(1).max(1000).default(10),
} as const;

export type VaultConfig = z.output<z.ZodObject<typeof configShape>>;
