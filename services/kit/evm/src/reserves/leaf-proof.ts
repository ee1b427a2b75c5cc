import { bucketOf, bucketSiblings, type LeafContent, leafHash, rootFrom, type Sibling } from './balance-tree.ts';

/** An account in the tree of balances: what its leaf says, and the way up from there. */
export type LeafProof = {
  /** Balances, status, and the hash of the open holds. */
  account: LeafContent;
  /** Siblings on the way up to the root of the account's bucket: `left:` or `right:`, the side on which it stands, and 64 hex digits each. */
  accountPath: string[];
  /** Siblings on the way from there to the root of the tree: 64 hex digits each. Their sides follow from the account's id. */
  bucketPath: string[];
};

const HASH = /^[0-9a-f]{64}$/;
const SIBLING = /^(left|right):([0-9a-f]{64})$/;

const readHash = (text: string): Buffer => {
  if (!HASH.test(text)) throw new Error('a hash is not 64 hex digits');
  return Buffer.from(text, 'hex');
};

const readSibling = (text: string): Sibling => {
  const [, side, digits] = SIBLING.exec(text) ?? [];
  if (digits === undefined) throw new Error('a sibling is not a side and 64 hex digits');
  return { side: side === 'left' ? 'left' : 'right', hash: Buffer.from(digits, 'hex') };
};

/** The root that a leaf and its way up lead to. Every field decides it. @throws Error when a sibling is malformed */
export const rootOfLeaf = ({ account, accountPath, bucketPath }: LeafProof): string | undefined => {
  const siblings = bucketSiblings(bucketOf(account[0]), bucketPath.map(readHash));
  return siblings && rootFrom(rootFrom(leafHash(account), accountPath.map(readSibling)), siblings).toString('hex');
};
