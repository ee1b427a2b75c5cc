import { isSignedBy, keyId, type PublicKey, type SigningKey } from '@florin/rpc/signing-key';

/** A signed statement: the shard's journal has this block, and everything before it. */
export type Head = {
  shard: string;
  /** Number of the block. */
  n: number;
  /** Hash of the block, 64 hex digits. */
  hash: string;
  /** Time of the block, ISO 8601. */
  at: string;
  /** Root of the tree of all balances after the block (`balance-tree.ts`), 64 hex digits; absent in most heads. */
  root?: string;
  /** Root of the tree of what is owed after the block (`owed.ts`), 64 hex digits; only with `root`, absent in heads of earlier releases. */
  owed?: string;
  /** All shards of the ledger, so that none can be left out; absent in heads of earlier releases. */
  shards?: string[];
  /** Thumbprint of the signing key. */
  key: string;
  /** Ed25519 signature of `headText`, base64url. */
  signature: string;
};

export type HeadContent = Omit<Head, 'key' | 'signature'>;

/** The signed text. The leading word is the version of this encoding; it also keeps the signature from meaning anything else. */
const headText = ({ shard, n, hash, at, root, owed, shards, key }: HeadContent & { key: string }): string =>
  shards === undefined
    ? JSON.stringify(['florin-head-1', shard, n, hash, at, root ?? '', key])
    : JSON.stringify(['florin-head-2', shard, n, hash, at, root ?? '', owed ?? '', shards, key]);

/** A head with its members in the order in which files have them. */
export const spellHead = ({ shard, n, hash, at, root, owed, shards, key, signature }: Head): Head => ({
  shard,
  n,
  hash,
  at,
  ...(root === undefined ? {} : { root }),
  ...(owed === undefined ? {} : { owed }),
  ...(shards === undefined ? {} : { shards }),
  key,
  signature,
});

export const signHead = (key: SigningKey, content: HeadContent): Head => {
  const head = { ...content, key: key.id };
  return { ...head, signature: key.sign(headText(head)) };
};

/** Describes the fault of a head's signature, in one sentence; undefined when a trusted key signed exactly this head. */
export const signatureProblem = (head: Head, trusted: readonly PublicKey[]): string | undefined => {
  const key = trusted.find((one) => keyId(one) === head.key);
  if (key === undefined) return `the head is signed with the key ${head.key}, which is not trusted`;
  return isSignedBy(key, headText(head), head.signature) ? undefined : 'the signature of the head does not fit its content';
};
