import { createHmac, hkdfSync } from 'node:crypto';

const KEY_BYTES = 32;

/**
 * Derives a 256-bit key for one purpose from the master key (HKDF-SHA-256, RFC 5869). A key for one purpose reveals nothing about the
 * others.
 */
export const deriveKey = (masterKey: Uint8Array, purpose: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', masterKey, new Uint8Array(), `florin-identity/${purpose}/v1`, KEY_BYTES));

/** Keyed hash (HMAC-SHA-256, base64url) of a list. The list is encoded as JSON, so that different lists never have the same bytes. */
export const keyedHash = (key: Uint8Array, parts: readonly (string | number)[]): string =>
  createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url');
