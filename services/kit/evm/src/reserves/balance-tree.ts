import { createHash, hash } from 'node:crypto';

/**
 * The tree of all balances of a shard as of one block. An account is a leaf; the leaves of a bucket, sorted by account id, form a
 * Merkle tree (RFC 9162, section 2.1.1); the roots of the 4,096 buckets form the tree whose root a signed head states. Leaves and
 * nodes are hashed with different prefixes, so that neither can be taken for the other.
 */

/** A power of two. Part of what is signed: never changed. */
export const BUCKETS = 4096;

/** An account as it stands in a leaf. Balances by `<token>/<bucket>` (by `<token>` for system accounts), sorted, without zeros. */
export type LeafContent = [id: string, status: string, balances: [key: string, amount: string][], holdsHash: string];

/** FNV-1a (32 bit) with the finalizer of MurmurHash3. Spreads accounts over buckets. */
const hash32 = (text: string): number => {
  let h = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) h = Math.imul(h ^ text.charCodeAt(index), 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
};

/** Bucket of an account, 0 to 4095. */
export const bucketOf = (accountId: string): number => hash32(accountId) >>> 20;

export const leafHash = (content: LeafContent): Buffer => hash('sha256', `\0${JSON.stringify(content)}`, 'buffer');

const nodeHash = (left: Buffer, right: Buffer): Buffer => createHash('sha256').update('\x01').update(left).update(right).digest();

/** Root of a bucket without accounts. */
const EMPTY = hash('sha256', '', 'buffer');

/** Largest power of two below `size`. */
const splitOf = (size: number): number => 2 ** (31 - Math.clz32(size - 1));

/** Root over hashes in order. */
export const rootOf = (hashes: readonly Buffer[]): Buffer => {
  if (hashes.length <= 1) return hashes[0] ?? EMPTY;
  const split = splitOf(hashes.length);
  return nodeHash(rootOf(hashes.slice(0, split)), rootOf(hashes.slice(split)));
};

/** A hash beside the way from a leaf to the root, and the side on which it stands. */
export type Sibling = { side: 'left' | 'right'; hash: Buffer };

/** Siblings on the way from hash `index` up to the root, from the bottom. */
export const pathOf = (hashes: readonly Buffer[], index: number): Sibling[] => {
  if (hashes.length <= 1) return [];
  const split = splitOf(hashes.length);
  return index < split
    ? [...pathOf(hashes.slice(0, split), index), { side: 'right', hash: rootOf(hashes.slice(split)) }]
    : [...pathOf(hashes.slice(split), index - split), { side: 'left', hash: rootOf(hashes.slice(0, split)) }];
};

/** Root that a hash and its siblings lead to. */
export const rootFrom = (own: Buffer, path: readonly Sibling[]): Buffer =>
  path.reduce((below, { side, hash: sibling }) => (side === 'left' ? nodeHash(sibling, below) : nodeHash(below, sibling)), own);

/** The siblings of a bucket's root, whose sides follow from its number; undefined unless there is one for each level of the buckets. */
export const bucketSiblings = (bucket: number, path: readonly Buffer[]): Sibling[] | undefined =>
  2 ** path.length === BUCKETS
    ? path.map((sibling, level) => ({ side: ((bucket >> level) & 1) === 1 ? 'left' : 'right', hash: sibling }))
    : undefined;

/** Root of a part of the tree: the buckets from `from` to before `to`, both multiples of the part's size, which is a power of two. */
export type Subtree = { from: number; to: number; root: Buffer };

/** Root over adjoining parts of a tree. @throws Error when a part is missing */
export const joinSubtrees = (parts: readonly Subtree[], from = 0, to = BUCKETS): Buffer => {
  const whole = parts.find((part) => part.from === from && part.to === to);
  if (whole !== undefined) return whole.root;
  if (to - from <= 1) throw new Error(`bucket ${from} is missing`);
  const middle = (from + to) / 2;
  return nodeHash(joinSubtrees(parts, from, middle), joinSubtrees(parts, middle, to));
};
