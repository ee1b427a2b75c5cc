import { json, masterKey } from '@florin/rpc/config';
import { z } from 'zod';

const fieldKeysSchema = z
  .array(z.object({ id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,31}$/, 'must be lower-case letters, digits and hyphens'), key: masterKey }))
  .min(1)
  .max(16)
  .refine((keys) => new Set(keys.map(({ id }) => id)).size === keys.length, 'must not contain the same id twice');

/** A key of encrypted fields. Its id is stored with each value, and must never name another key. */
export type FieldKey = z.output<typeof fieldKeysSchema>[number];

/** Configuration of a service that stores personal data. */
export const fieldShape = {
  /**
   * Keys that encrypt personal data in the database: `[{"id":"2","key":"<32 bytes in base64url>"},…]`. The first one encrypts, all of them
   * decrypt. The service encrypts values of other keys anew with the first one while it runs, and logs when a key is no longer in use.
   */
  FIELD_KEYS: json(fieldKeysSchema),
  /** Key of the hashes by which encrypted personal data is found: 32 bytes in base64url. It must never change. */
  FIELD_HASH_KEY: masterKey,
} as const;
