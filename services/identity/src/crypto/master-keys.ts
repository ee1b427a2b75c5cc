import { masterKey } from '@florin/rpc/config';
import { z } from 'zod';

/** A master key. Its id is stored with what it encrypts, and must never name another key. */
export type MasterKey = { id: string; key: Uint8Array };

const SINGLE_ID = '1';
const ID = /^[a-z0-9][a-z0-9-]{0,31}$/;

/** One key in base64url, which has the id 1, or several as `<id>:<key>`, separated by commas. The first one encrypts, all of them decrypt. */
export const masterKeysSchema = z.string().transform((text, context): MasterKey[] => {
  const keys = text.split(',').flatMap((part) => {
    const [first = '', second] = part.trim().split(':');
    const [id, encoded] = second === undefined ? [SINGLE_ID, first] : [first, second];
    const key = masterKey.safeParse(encoded);
    return ID.test(id) && key.success ? [{ id, key: key.data }] : [];
  });
  const isComplete = keys.length === text.split(',').length && new Set(keys.map(({ id }) => id)).size === keys.length;
  if (isComplete) return keys;
  context.addIssue({
    code: 'custom',
    message: 'must be 32 bytes in base64url, or several keys as <id>:<key> with different ids, separated by commas',
  });
  return z.NEVER;
});
