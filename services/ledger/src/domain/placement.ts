import { accountHash } from '@florin/proto/ledger/v1/placement';

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
export const pageOf = (accountId: string, bits: number): string => `${bits}.${accountHash(accountId) >>> (32 - bits)}`;

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
