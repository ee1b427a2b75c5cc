import { WebhookError } from './errors.ts';

/** Bytes that WebCrypto takes. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** Checks one signature. WebCrypto compares in constant time. */
export type CheckSignature = (signature: Bytes, content: Bytes) => Promise<boolean>;

/** Public Ed25519 key in the form of RFC 8037. */
export type PublicJwk = { readonly kty: string; readonly crv?: string; readonly x?: string; readonly kid?: string; readonly use?: string };

const PREFIX = 'whsec_';

/** Bytes of a secret, by the specification of Standard Webhooks. */
const MIN_SECRET = 24;
const MAX_SECRET = 64;

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** @returns undefined if the text is not base64 */
export const decodeBase64 = (text: string): Bytes | undefined =>
  BASE64.test(text) ? Uint8Array.from(atob(text), (char) => char.charCodeAt(0)) : undefined;

/** @throws WebhookError SECRET_INVALID */
export const secretBytes = (secret: string): Bytes => {
  const bytes = secret.startsWith(PREFIX) ? decodeBase64(secret.slice(PREFIX.length)) : undefined;
  if (bytes !== undefined && bytes.length >= MIN_SECRET && bytes.length <= MAX_SECRET) return bytes;
  throw new WebhookError('SECRET_INVALID', `a secret must be ${PREFIX} and the base64 form of ${MIN_SECRET} to ${MAX_SECRET} bytes`);
};

/** Checks `v1` signatures: HMAC-SHA256. */
export const hmacCheck = (secret: Bytes): CheckSignature => {
  const key = crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
  return async (signature, content) => crypto.subtle.verify('HMAC', await key, signature, content);
};

/** Reports whether a key of a set verifies `v1a` signatures. Other keys of the set serve other purposes. */
export const isEd25519 = ({ kty, crv, x, use = 'sig' }: PublicJwk): boolean =>
  kty === 'OKP' && crv === 'Ed25519' && typeof x === 'string' && use === 'sig';

/** Checks `v1a` signatures: Ed25519. @throws WebhookError KEY_INVALID */
export const ed25519Check = async ({ kty, crv, x }: PublicJwk): Promise<CheckSignature> => {
  try {
    const jwk = { kty, ...(crv === undefined ? {} : { crv }), ...(x === undefined ? {} : { x }) };
    const key = await crypto.subtle.importKey('jwk', jwk, { name: 'Ed25519' }, false, ['verify']);
    return (signature, content) => crypto.subtle.verify('Ed25519', key, signature, content);
  } catch (cause) {
    throw new WebhookError('KEY_INVALID', 'a key must be an Ed25519 public key as a JWK', { cause });
  }
};
