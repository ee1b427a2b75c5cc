import type { Sealer } from '@florin/rpc/crypto';

/** Encrypts texts for storage with one of several keys. */
export type VersionedSealer = Sealer & {
  /** Reports whether a text was sealed with the key that encrypts now. */
  isCurrent: (sealed: string) => boolean;
};

/**
 * Port to where the master keys are kept. The keys of two purposes are independent of each other. An adapter of a key management service
 * unwraps one data key per purpose and version when the service starts; no call of this port leaves the process later.
 */
export type MasterKeys = {
  sealerFor: (purpose: string) => VersionedSealer;
  /** 256-bit keys of keyed hashes, at least one: the first one hashes, all of them verify. */
  hashKeysFor: (purpose: string) => readonly [Uint8Array, ...Uint8Array[]];
};
