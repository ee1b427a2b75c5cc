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

/** Keeps the shard independent of the page: it takes other bits of the hash. */
const SHARD_DIVISOR = 1024;

/** Accounts per balance page: between half of this and this, on average. */
const ACCOUNTS_PER_PAGE = 100;

/** The fewest bits of the hash that name a page: 16 pages. */
export const MIN_PAGE_BITS = 4;
const MAX_PAGE_BITS = 24;

/** Bits of the hash that name the pages of a shard with so many accounts. Grows by one when the average page is full. */
export const pageBits = (accounts: number): number => {
  let bits = MIN_PAGE_BITS;
  while (bits < MAX_PAGE_BITS && accounts > ACCOUNTS_PER_PAGE * 2 ** bits) bits += 1;
  return bits;
};

/**
 * Name of the balance page that holds an account: `<bits>.<first bits of the hash>`. The page of one bit less (`parentOf`) holds the
 * accounts of two of them.
 */
export const pageOf = (accountId: string, bits: number): string => `${bits}.${hash32(accountId) >>> (32 - bits)}`;

/** The page of one bit less that an account's page was split from; undefined for one of the fewest bits. */
export const parentOf = (page: string): string | undefined => {
  const [bits = 0, index = 0] = page.split('.').map(Number);
  return bits > MIN_PAGE_BITS ? `${bits - 1}.${index >>> 1}` : undefined;
};

/** The pages that a page is split into when they are named by more bits. */
export const childrenOf = (page: string, bits: number): string[] => {
  const [own = 0, index = 0] = page.split('.').map(Number);
  const first = index * 2 ** (bits - own);
  return Array.from({ length: 2 ** (bits - own) }, (_, offset) => `${bits}.${first + offset}`);
};

/** Shard that an account lives in, permanently. */
export const shardOf = (accountId: string, shards: number): string =>
  shards === 1 ? '0' : String(Math.floor(hash32(accountId) / SHARD_DIVISOR) % shards);
