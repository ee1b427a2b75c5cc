import { bucketOf, type Head, type LeafProof, leafHash, pathOf, rootOfLeaf, signatureProblem, spellHead } from '@florin/evm/reserves';
import { keyId, type PublicKey } from '@florin/rpc/signing-key';
import { type Leaf, leafContent } from './account-tree.ts';

const FORMAT = 'florin-balance-proof-2';

/** Shows that an account is in a signed head with these balances. */
export type BalanceProof = LeafProof & {
  format: typeof FORMAT;
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
  return {
    account: leafContent(own),
    accountPath: pathOf(leaves, index).map(({ side, hash }) => `${side}:${hash.toString('hex')}`),
    bucketPath: pathOf(bucketRoots, bucketOf(accountId)).map(({ hash }) => hash.toString('hex')),
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
  return leaf === undefined ? undefined : { format: FORMAT, ...leaf, head, publicKey };
};

/** The one spelling of a proof. */
export const encodeProof = ({ format, account, accountPath, bucketPath, head, publicKey }: BalanceProof): string => {
  const { kty, crv, x } = publicKey;
  const ordered = {
    format,
    account,
    accountPath,
    bucketPath,
    head: spellHead(head),
    publicKey: { kty, crv, x },
  };
  return `${JSON.stringify(ordered, undefined, 1)}\n`;
};

const MAX_TEXT = 64 * 1024;
/** Nothing that a terminal would obey or hide: printable ASCII without escapes. */
const PLAIN = /^[\n\x20-\x5b\x5d-\x7e]*$/;
const check = (text: string, trusted: readonly PublicKey[] | undefined): BalanceProof => {
  if (text.length > MAX_TEXT) throw new Error('the file is too long');
  // The facts are printed before the reader has compared the key: a forger's text must not look like the command's own.
  if (!PLAIN.test(text)) throw new Error('the file holds characters that no proof has');
  const proof = JSON.parse(text) as BalanceProof;
  if (proof.format !== FORMAT || encodeProof(proof) !== text) throw new Error('the file is not in the format of a proof');
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
