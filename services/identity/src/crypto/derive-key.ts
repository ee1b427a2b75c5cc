import { createHmac, hkdfSync } from 'node:crypto';

const KEY_BYTES = 32;

/**
 * A 256-bit key for one purpose out of the master key (HKDF-SHA-256, RFC 5869): what one purpose leaks says nothing about
 * the others, and one secret has to be kept.
 */
export const deriveKey = (masterKey: Uint8Array, purpose: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', masterKey, new Uint8Array(), `florin-identity/${purpose}/v1`, KEY_BYTES));

/** Keyed hash (HMAC-SHA-256, base64url) of a list of parts. As JSON, so that no two lists share their bytes. */
export const keyedHash = (key: Uint8Array, parts: readonly (string | number)[]): string =>
  createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url');
