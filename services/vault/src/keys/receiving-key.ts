import { CodedError } from '@florin/rpc/errors';
import { CompactEncrypt, calculateJwkThumbprint, importJWK } from 'jose';
import { z } from 'zod';

/** A public key that secrets may be encrypted to. */
export type ReceivingKey = {
  /** RFC 7638, SHA-256. */
  thumbprint: string;
  /** Compact JWE: ECDH-ES, A256GCM. */
  seal: (content: object) => Promise<string>;
};

type PublicKey = { kty: 'EC'; crv: 'P-256'; x: string; y: string };

const coordinate = z.string().regex(/^[A-Za-z0-9_-]{43}$/);

// A private part in a request has passed the gateway: the key is worthless. `d` is undefined in a public key.
const publicKeySchema = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: coordinate,
  y: coordinate,
  d: z.undefined().optional(),
});

/** @throws Error when the point is not on the curve */
export const createReceivingKey = async ({ kty, crv, x, y }: PublicKey): Promise<ReceivingKey> => {
  const key = { kty, crv, x, y };
  const publicKey = await importJWK(key, 'ECDH-ES');
  const thumbprint = await calculateJwkThumbprint(key);
  return {
    thumbprint,
    seal: (content) =>
      new CompactEncrypt(new TextEncoder().encode(JSON.stringify(content)))
        .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A256GCM', kid: thumbprint, typ: 'JWE' })
        .encrypt(publicKey),
  };
};

/**
 * Reads a receiving key from a request.
 * @throws CodedError RECEIVING_KEY_INVALID unless it is a public P-256 key (JWK) without private part
 */
export const readReceivingKey = async (text: string): Promise<ReceivingKey> => {
  try {
    return await createReceivingKey(publicKeySchema.parse(JSON.parse(text)));
  } catch (error) {
    // The error may quote the key; it may be a private one.
    throw new CodedError('RECEIVING_KEY_INVALID', { cause: error instanceof z.ZodError ? undefined : error });
  }
};
