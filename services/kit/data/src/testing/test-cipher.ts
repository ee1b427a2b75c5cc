import { randomBytes } from 'node:crypto';
import { createFieldCipher, type FieldCipher } from '../encryption/index.ts';

/** Returns a cipher with new keys. */
export const testCipher = (): FieldCipher => {
  const newKey = () => new Uint8Array(randomBytes(32));
  return createFieldCipher([{ id: '1', key: newKey() }], newKey());
};
