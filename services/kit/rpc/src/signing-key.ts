import { createPrivateKey, createPublicKey, hash, type JsonWebKey, sign, verify } from 'node:crypto';

/** Public Ed25519 key (RFC 8037). */
export type PublicKey = { kty: 'OKP'; crv: 'Ed25519'; x: string };

/** A key that signs what anyone can verify offline. */
export type SigningKey = {
  /** Thumbprint of the public key (RFC 7638). */
  id: string;
  publicKey: PublicKey;
  /** Ed25519 signature of the text, base64url. */
  sign: (text: string) => string;
};

/** Thumbprint of a key (RFC 7638): SHA-256 over its required members in lexical order, base64url. */
export const keyId = ({ kty, crv, x }: PublicKey): string => hash('sha256', JSON.stringify({ crv, kty, x }), 'base64url');

/** @param jwk private Ed25519 key; `d` is its private part */
export const createSigningKey = ({ kty, crv, x, d }: PublicKey & { d: string }): SigningKey => {
  const publicKey: PublicKey = { kty, crv, x };
  const key = createPrivateKey({ key: { ...publicKey, d } as JsonWebKey, format: 'jwk' });
  return {
    id: keyId(publicKey),
    publicKey,
    sign: (text) => sign(null, Buffer.from(text), key).toString('base64url'),
  };
};

/** Reports whether `signature` is this key's signature of the text, in its one canonical spelling. */
export const isSignedBy = ({ kty, crv, x }: PublicKey, text: string, signature: string): boolean => {
  const bytes = Buffer.from(signature, 'base64url');
  if (bytes.length !== 64 || bytes.toString('base64url') !== signature) return false;
  try {
    return verify(null, Buffer.from(text), createPublicKey({ key: { kty, crv, x } as JsonWebKey, format: 'jwk' }), bytes);
  } catch {
    return false;
  }
};
