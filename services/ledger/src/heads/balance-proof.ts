import { type Leaf, leafContent } from './account-tree.ts';
import { BUCKETS, bucketOf, type LeafContent, leafHash, pathOf, rootFrom } from './balance-tree.ts';
import { type Head, signatureProblem } from './head.ts';
import { keyId, type PublicKey } from './head-key.ts';

/** An account in the tree of balances: what its leaf says, and the way up from there. */
export type LeafProof = {
  /** Balances, status, and the hash of the open holds. */
  account: LeafContent;
  /** Place of the account among the accounts of its bucket, and their siblings on the way up: 64 hex digits each. */
  index: number;
  size: number;
  accountPath: string[];
  bucketPath: string[];
};

/** Shows that an account is in a signed head with these balances. */
export type BalanceProof = LeafProof & {
  format: 'florin-balance-proof-1';
  head: Head;
  /** Key that signed the head. Compare its thumbprint, `head.key`, with a published one. */
  publicKey: PublicKey;
};

/**
 * @param members accounts of the account's bucket, sorted by id, the account among them
 * @param bucketRoots roots of all buckets
 * @returns undefined when the account is not among them
 */
export const makeLeafProof = (accountId: string, members: readonly Leaf[], bucketRoots: readonly Buffer[]): LeafProof | undefined => {
  const index = members.findIndex(([id]) => id === accountId);
  const own = members[index];
  if (own === undefined) return undefined;
  const leaves = members.map((one) => leafHash(leafContent(one)));
  const hex = (hashes: readonly Buffer[]) => hashes.map((one) => one.toString('hex'));
  return {
    account: leafContent(own),
    index,
    size: members.length,
    accountPath: hex(pathOf(leaves, index)),
    bucketPath: hex(pathOf(bucketRoots, bucketOf(accountId))),
  };
};

/** As `makeLeafProof`, for a head that states the root. */
export const makeProof = (
  accountId: string,
  members: readonly Leaf[],
  bucketRoots: readonly Buffer[],
  head: Head,
  publicKey: PublicKey,
): BalanceProof | undefined => {
  const leaf = makeLeafProof(accountId, members, bucketRoots);
  return leaf === undefined ? undefined : { format: 'florin-balance-proof-1', ...leaf, head, publicKey };
};

/** The one spelling of a proof. */
export const encodeProof = ({ format, account, index, size, accountPath, bucketPath, head, publicKey }: BalanceProof): string => {
  const { shard, n, hash, at, root, key, signature } = head;
  const { kty, crv, x } = publicKey;
  const ordered = {
    format,
    account,
    index,
    size,
    accountPath,
    bucketPath,
    head: { shard, n, hash, at, root, key, signature },
    publicKey: { kty, crv, x },
  };
  return `${JSON.stringify(ordered, undefined, 1)}\n`;
};

const MAX_TEXT = 64 * 1024;
/** Nothing that a terminal would obey or hide: printable ASCII without escapes. */
const PLAIN = /^[\n\x20-\x5b\x5d-\x7e]*$/;
const HASH = /^[0-9a-f]{64}$/;

const hashes = (texts: readonly string[]): Buffer[] => {
  if (!texts.every((text) => HASH.test(text))) throw new Error('a hash is not 64 hex digits');
  return texts.map((text) => Buffer.from(text, 'hex'));
};

/** The root that a leaf and its way up lead to. @throws Error when the place or a hash is malformed */
export const rootOfLeaf = ({ account, index, size, accountPath, bucketPath }: LeafProof): string | undefined => {
  if (!Number.isSafeInteger(size) || !Number.isSafeInteger(index) || index < 0 || index >= size)
    throw new Error('the place is out of range');
  const bucketRoot = rootFrom(leafHash(account), index, size, hashes(accountPath));
  const root = bucketRoot && rootFrom(bucketRoot, bucketOf(account[0]), BUCKETS, hashes(bucketPath));
  return root?.toString('hex');
};

const check = (text: string, trusted: readonly PublicKey[] | undefined): BalanceProof => {
  if (text.length > MAX_TEXT) throw new Error('the file is too long');
  // The facts are printed before the reader has compared the key: a forger's text must not look like the command's own.
  if (!PLAIN.test(text)) throw new Error('the file holds characters that no proof has');
  const proof = JSON.parse(text) as BalanceProof;
  if (proof.format !== 'florin-balance-proof-1' || encodeProof(proof) !== text) throw new Error('the file is not in the format of a proof');
  const { head, publicKey } = proof;
  if (keyId(publicKey) !== head.key) throw new Error('the public key is not the one that the head names');
  const problem = signatureProblem(head, trusted ?? [publicKey]);
  if (problem !== undefined) throw new Error(problem);
  if (rootOfLeaf(proof) !== head.root) throw new Error('the path does not lead to the root of the signed head');
  return proof;
};

/**
 * Checks a proof offline.
 * @param trusted keys that are accepted; undefined accepts the key in the proof, whose thumbprint has then to be compared
 * @returns the proof, or what is wrong with it
 */
export const checkProof = (text: string, trusted?: readonly PublicKey[]): { proof: BalanceProof } | { problem: string } => {
  try {
    return { proof: check(text, trusted) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : 'the file cannot be read' };
  }
};
