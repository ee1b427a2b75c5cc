import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { FieldKey } from './field-keys.ts';

/** Where a value is stored. A value is valid only in its place. */
export type FieldPlace = {
  /** Collection, or kind of record. */
  collection: string;
  /** `_id` of the document. */
  id: string;
  field: string;
};

/** Raised when a stored value cannot be decrypted: it was changed, moved from another place, or encrypted with an unknown key. */
export class FieldError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'FieldError';
  }
}

/**
 * Encrypts single fields of documents (AES-256-GCM, NIST SP 800-38D) and computes keyed hashes (HMAC-SHA-256) to find them by.
 *
 * A stored value is `f1.<key id>.<base64url of nonce (12 bytes), ciphertext and tag (16 bytes)>`. The nonce is random: a key must encrypt
 * fewer than 2^32 values. Key id, collection, document and field are authenticated, so that a value that is copied to another document or
 * field does not decrypt.
 */
export type FieldCipher = {
  /** Encrypts with the current key. Equal texts give different values. */
  encrypt: (text: string, place: FieldPlace) => string;
  /** @throws FieldError */
  decrypt: (stored: string, place: FieldPlace) => string;
  /** Reports whether the value is encrypted with the current key. */
  isCurrent: (stored: string) => boolean;
  /** Prefix of all values of the current key. */
  currentPrefix: string;
  /**
   * Keyed hash of a normalized text, 43 characters of base64url. Hashes of different kinds are unrelated.
   * @param kind what the text is, for example `email`
   */
  hash: (kind: string, text: string) => string;
};

const FORMAT = 'f1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const CIPHER = 'aes-256-gcm';

const placeBytes = (keyId: string, { collection, id, field }: FieldPlace): Buffer =>
  Buffer.from(JSON.stringify([FORMAT, keyId, collection, id, field]));

/** @param keys the first one encrypts */
export const createFieldCipher = (keys: readonly FieldKey[], hashKey: Uint8Array): FieldCipher => {
  const [current] = keys;
  if (current === undefined) throw new Error('at least one key is required');
  const byId = new Map(keys.map(({ id, key }) => [id, key]));
  const prefixOf = (keyId: string): string => `${FORMAT}.${keyId}.`;
  const currentPrefix = prefixOf(current.id);
  const kindKeys = new Map<string, Uint8Array>();
  const kindKey = (kind: string): Uint8Array => {
    const known = kindKeys.get(kind);
    if (known !== undefined) return known;
    const derived = new Uint8Array(hkdfSync('sha256', hashKey, new Uint8Array(), `florin-field-hash/${kind}/v1`, KEY_BYTES));
    kindKeys.set(kind, derived);
    return derived;
  };

  return {
    currentPrefix,
    isCurrent: (stored) => stored.startsWith(currentPrefix),
    encrypt: (text, place) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, current.key, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(placeBytes(current.id, place));
      const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `${currentPrefix}${sealed.toString('base64url')}`;
    },
    decrypt: (stored, place) => {
      const [format, keyId = '', body = '', ...rest] = stored.split('.');
      if (format !== FORMAT || rest.length > 0) throw new FieldError(`${place.collection}.${place.field} is not encrypted`);
      const key = byId.get(keyId);
      if (key === undefined) throw new FieldError(`${place.collection}.${place.field} is encrypted with a key that is not configured`);
      const sealed = Buffer.from(body, 'base64url');
      // base64url has several spellings of one value; only the one that is written is accepted.
      if (sealed.length < NONCE_BYTES + TAG_BYTES || sealed.toString('base64url') !== body) {
        throw new FieldError(`${place.collection}.${place.field} is damaged`);
      }
      try {
        const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
        decipher.setAAD(placeBytes(keyId, place));
        decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
        return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString('utf8');
      } catch (cause) {
        throw new FieldError(`${place.collection}.${place.field} does not match its place or its key`, { cause });
      }
    },
    hash: (kind, text) => createHmac('sha256', kindKey(kind)).update(text, 'utf8').digest('base64url'),
  };
};
