export {
  BUCKETS,
  bucketOf,
  bucketSiblings,
  joinSubtrees,
  type LeafContent,
  leafHash,
  pathOf,
  rootFrom,
  rootOf,
  type Subtree,
} from './balance-tree.ts';
export {
  type AccountReserves,
  type CheckedReserves,
  checkReserves,
  type KnownTokens,
  type ReservesCheck,
  requireEnd,
  type TokenReserves,
} from './check-reserves.ts';
export { CHAIN_ACCOUNT, type Liabilities, linesOf, RESERVES_FORMAT, reservesText } from './format.ts';
export { type Head, type HeadContent, signatureProblem, signHead, spellHead } from './head.ts';
export { type LeafProof, rootOfLeaf } from './leaf-proof.ts';
export { createOwedTree, type Owed, type OwedPath, owedBucketRoot, owedPath, owedTo } from './owed.ts';
export { readPublishedHeads } from './published-heads.ts';
