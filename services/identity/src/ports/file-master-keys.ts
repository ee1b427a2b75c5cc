import type { VersionedKey } from '@florin/rpc/config';
import { createSealer } from '@florin/rpc/crypto';
import { deriveKey } from '../crypto/derive-key.ts';
import type { MasterKeys, VersionedSealer } from './master-keys.ts';

/** Separates the id of the key from the sealed text, in which it does not occur. */
const SEPARATOR = ':';

/**
 * Keeps master keys in the configuration of the process, typically in a file (`IDENTITY_MASTER_KEYS_FILE`), and derives the keys of each purpose
 * from them.
 * @param masterKeys the first one encrypts and hashes; at least one
 */
export const createFileMasterKeys = (masterKeys: readonly VersionedKey[]): MasterKeys => {
  const sealerFor = (purpose: string): VersionedSealer => {
    const sealers = masterKeys.map(({ id, key }) => ({ prefix: `${id}${SEPARATOR}`, sealer: createSealer(deriveKey(key, purpose)) }));
    const [current] = sealers;
    if (current === undefined) throw new Error('there is no master key');
    return {
      isCurrent: (sealed) => sealed.startsWith(current.prefix),
      seal: async (text, context) => `${current.prefix}${await current.sealer.seal(text, context)}`,
      open: async (sealed, context) => {
        const found = sealers.find(({ prefix }) => sealed.startsWith(prefix));
        if (found !== undefined) return found.sealer.open(sealed.slice(found.prefix.length), context);
        if (sealed.includes(SEPARATOR)) throw new Error('the text was sealed with a key that is not configured');
        // Sealed before keys had ids.
        return Promise.any(sealers.map(({ sealer }) => sealer.open(sealed, context)));
      },
    };
  };
  return {
    sealerFor,
    hashKeysFor: (purpose) => {
      const [first, ...others] = masterKeys.map(({ key }) => deriveKey(key, purpose));
      if (first === undefined) throw new Error('there is no master key');
      return [first, ...others];
    },
  };
};
