/** Spreads account ids over shards and pages: FNV-1a, 32 bit. Part of the stored layout of the ledger: never changed. */
export const accountHash = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  // FNV's last bytes barely reach the high bits: mix once more (the finaliser of MurmurHash3).
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
};

/** Keeps the shard independent of the page: it takes other bits of the hash. */
const SHARD_DIVISOR = 1024;

/**
 * Returns the shard of the journal that an account lives in, permanently.
 * @param accountId UUID in lower case
 * @param shards number of shards of the journal (`CreateEntriesResponse.shards`)
 */
export const shardOf = (accountId: string, shards: number): string =>
  shards === 1 ? '0' : String(Math.floor(accountHash(accountId) / SHARD_DIVISOR) % shards);
