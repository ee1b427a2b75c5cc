import { encodeText, fromBase64url, toBase64url } from '../base64url.ts';
import { createKeyPair, importPublicKey, type Key, type PublicJwk } from '../elliptic-keys.ts';

/** Compact JWE (RFC 7516) of ECDH-ES (RFC 7518, section 4.6) with A256GCM, which is what the vault reads and writes. */

const ENCRYPTION = 'A256GCM';

const uint32 = (value: number): Uint8Array => new Uint8Array([value >>> 24, value >>> 16, value >>> 8, value]);

const concat = (...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => new Uint8Array(parts.flatMap((part) => [...part]));

/** Concat KDF (NIST SP 800-56A, section 5.8.1) in one round, without information of the parties. */
const contentKey = async (privateKey: Key, theirs: Key, usage: 'encrypt' | 'decrypt'): Promise<Key> => {
  const secret = new Uint8Array(await crypto.subtle.deriveBits({ name: 'ECDH', public: theirs }, privateKey, 256));
  const algorithm = encodeText(ENCRYPTION);
  const input = concat(uint32(1), secret, uint32(algorithm.length), algorithm, uint32(0), uint32(0), uint32(256));
  return crypto.subtle.importKey('raw', await crypto.subtle.digest('SHA-256', input), 'AES-GCM', false, [usage]);
};

const TAG_BYTES = 16;

/** Decrypts a text. @throws Error if it is not a JWE to this key */
export const openJwe = async (privateKey: Key, jwe: string): Promise<string> => {
  const [header = '', , iv = '', ciphertext = '', tag = ''] = jwe.split('.');
  const { alg, enc, epk } = JSON.parse(new TextDecoder().decode(fromBase64url(header))) as { alg: string; enc: string; epk: PublicJwk };
  if (alg !== 'ECDH-ES' || enc !== ENCRYPTION) throw new TypeError('the message is not encrypted with ECDH-ES and A256GCM');
  const key = await contentKey(privateKey, await importPublicKey(epk), 'decrypt');
  const parameters = { name: 'AES-GCM', iv: fromBase64url(iv), additionalData: encodeText(header) };
  return new TextDecoder().decode(await crypto.subtle.decrypt(parameters, key, concat(fromBase64url(ciphertext), fromBase64url(tag))));
};

/** Encrypts a text to a public key. */
export const sealJwe = async (to: Pick<PublicJwk, 'x' | 'y'>, text: string): Promise<string> => {
  const { privateKey, publicJwk } = await createKeyPair('ECDH');
  const key = await contentKey(privateKey, await importPublicKey(to), 'encrypt');
  const header = toBase64url(encodeText(JSON.stringify({ alg: 'ECDH-ES', enc: ENCRYPTION, epk: publicJwk })));
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const parameters = { name: 'AES-GCM', iv, additionalData: encodeText(header) };
  const sealed = new Uint8Array(await crypto.subtle.encrypt(parameters, key, encodeText(text)));
  const parts = [iv, sealed.subarray(0, -TAG_BYTES), sealed.subarray(-TAG_BYTES)].map(toBase64url);
  return [header, '', ...parts].join('.');
};
