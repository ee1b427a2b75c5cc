import { serviceKeySchema } from '@florin/rpc/auth';
import { json } from '@florin/rpc/config';
import { z } from 'zod';
import { createHeadKey, type HeadKey, type PublicKey } from './head-key.ts';

const publicKeySchema = z.object({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string().regex(/^[A-Za-z0-9_-]{43}$/) });

/** Variables about signed heads, of the service and of its commands. */
export const headShape = {
  /** Private Ed25519 key (JWK) that signs heads. Without one no heads are signed. */
  LEDGER_HEAD_KEY: json(serviceKeySchema).optional(),
  /** Public keys (JWK) of earlier head keys, as a JSON array: what they signed is still accepted, and they stay published. */
  LEDGER_HEAD_TRUST: json(z.array(publicKeySchema).max(32)).default([]),
} as const;

type HeadConfig = z.output<z.ZodObject<typeof headShape>>;

/** The key that signs, and all keys whose heads are accepted. */
export const headKeys = ({ LEDGER_HEAD_KEY, LEDGER_HEAD_TRUST }: HeadConfig): { signer: HeadKey | undefined; trusted: PublicKey[] } => {
  const signer = LEDGER_HEAD_KEY === undefined ? undefined : createHeadKey(LEDGER_HEAD_KEY);
  return { signer, trusted: [...(signer === undefined ? [] : [signer.publicKey]), ...LEDGER_HEAD_TRUST] };
};
