import { sha256 } from './base64url.ts';

/** The type has other names in browsers and in Node. */
export type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** A public key on the curve P-256 as a JSON Web Key (RFC 7517). */
export type PublicJwk = { kty: 'EC'; crv: 'P-256'; x: string; y: string };

export type KeyPair = { privateKey: Key; publicJwk: PublicJwk };

const CURVE = 'P-256';

/** The purpose of a key: signatures, or agreeing on a secret. */
const USAGES = { ECDSA: ['sign', 'verify'], ECDH: ['deriveBits'] } as const;

/** Creates a key whose private part cannot be read, not even by this program. */
export const createKeyPair = async (name: keyof typeof USAGES): Promise<KeyPair> => {
  const algorithm = { name, namedCurve: CURVE };
  const pair = (await crypto.subtle.generateKey(algorithm, false, [...USAGES[name]])) as Record<'privateKey' | 'publicKey', Key>;
  const { x = '', y = '' } = await crypto.subtle.exportKey('jwk', pair.publicKey);
  return { privateKey: pair.privateKey, publicJwk: { kty: 'EC', crv: CURVE, x, y } };
};

/** Imports another side's public key, to agree on a secret with it. @throws DOMException if it is none */
export const importPublicKey = ({ x, y }: Pick<PublicJwk, 'x' | 'y'>): Promise<Key> =>
  crypto.subtle.importKey('jwk', { kty: 'EC', crv: CURVE, x, y }, { name: 'ECDH', namedCurve: CURVE }, false, []);

/** ES256 (RFC 7518, section 3.4). */
export const sign = (key: Key, bytes: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> =>
  crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, key, bytes);

/** Thumbprint (RFC 7638, SHA-256). */
export const thumbprintOf = ({ crv, kty, x, y }: PublicJwk): Promise<string> => sha256(JSON.stringify({ crv, kty, x, y }));
