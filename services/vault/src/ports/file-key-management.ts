import type { VersionedKey } from '@florin/rpc/config';
import { createSealer } from '@florin/rpc/crypto';
import type { KeyManagement } from './key-management.ts';

/** Keeps the key-encryption keys in the process's configuration. @param keys at least one, the current one first */
export const createFileKeyManagement = (keys: readonly VersionedKey[]): KeyManagement => {
  const sealers = new Map(keys.map(({ id, key }) => [id, createSealer(key)]));
  const sealerOf = (keyId: string) => {
    const sealer = sealers.get(keyId);
    if (sealer === undefined) throw new Error(`the key-encryption key ${keyId} is not configured`);
    return sealer;
  };
  const currentKeyId = keys[0]?.id ?? '';
  return {
    currentKeyId,
    keyIds: keys.map(({ id }) => id),
    wrap: async (secret, context) => ({
      keyId: currentKeyId,
      text: await sealerOf(currentKeyId).seal(Buffer.from(secret).toString('base64url'), context),
    }),
    unwrap: async ({ keyId, text }, context) => new Uint8Array(Buffer.from(await sealerOf(keyId).open(text, context), 'base64url')),
  };
};
