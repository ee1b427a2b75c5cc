import { masterKey, type VersionedKey, versionedKeys } from '@florin/rpc/config';

/** A key of encrypted fields. Its id is stored with each value, and must never name another key. */
export type FieldKey = VersionedKey;

/** Configuration of a service that stores personal data. */
export const fieldShape = {
  /**
   * Keys that encrypt personal data in the database: `[{"id":"2","key":"<32 bytes in base64url>"},…]`. The first one encrypts, all of them
   * decrypt. The service encrypts values of other keys anew with the first one while it runs, and logs when a key is no longer in use.
   */
  FIELD_KEYS: versionedKeys,
  /** Key of the hashes by which encrypted personal data is found: 32 bytes in base64url. It must never change. */
  FIELD_HASH_KEY: masterKey,
} as const;
