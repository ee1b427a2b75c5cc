/** FNV-1a, 32 bit: spreads ids over shards and pages. Part of the stored layout: never changed. */
const hash32 = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  // FNV's last bytes barely reach the high bits: mix once more (the finaliser of MurmurHash3).
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
};

/** Balance pages per shard. With a million accounts in a shard a page holds a thousand. */
const PAGES = 1024;

/** Page of its shard that holds an account's balances. */
export const pageOf = (accountId: string): number => hash32(accountId) % PAGES;

/** Shard that an account lives in, for ever. */
export const shardOf = (accountId: string, shards: number): string => String(Math.floor(hash32(accountId) / PAGES) % shards);
