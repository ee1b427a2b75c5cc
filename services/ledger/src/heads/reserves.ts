import { createHash, hash } from 'node:crypto';
import type { HeadStore } from '../store/heads.ts';
import type { SnapshotStore, Totals } from '../store/snapshots.ts';
import { type LeafProof, makeLeafProof } from './balance-proof.ts';
import { bucketOf } from './balance-tree.ts';
import type { Head } from './head.ts';
import { type HeadKey, keyId, type PublicKey } from './head-key.ts';

/**
 * A proof of reserves is a file of lines, each JSON in its one spelling:
 *
 *     ["florin-reserves-1", chainId, block, blockHash, [[token, contract], …]]
 *     [safe, token, amount]                    for each balance above zero of a Safe after the block
 *     {"head", "publicKey", "totals", "chain"} for each shard of the ledger: what is owed to whom
 *     ["signature", key, x, signature]
 *
 * The chain service writes the first two kinds, the ledger the others.
 */

/** System account that owes what the Safes hold: with a minus, everything that has moved into them and was booked. */
export const CHAIN_ACCOUNT = 'chain';

/** The liabilities of a shard after a block. */
export type Liabilities = {
  /** States the root of all balances. */
  head: Head;
  /** Key that signed the head and the file. */
  publicKey: PublicKey;
  totals: Totals;
  /** The account `chain` in the tree of the head; null when it has no balance. Because all accounts add up to zero, it fixes the sum of the others. */
  chain: LeafProof | null;
};

/** The one spelling of a line. */
const encodeLiabilities = ({ head, publicKey, totals, chain }: Liabilities): string => {
  const { shard, n, hash: blockHash, at, root, key, signature } = head;
  const { kty, crv, x } = publicKey;
  const leaf = chain && { account: chain.account, accountPath: chain.accountPath, bucketPath: chain.bucketPath };
  return JSON.stringify({
    head: { shard, n, hash: blockHash, at, root, key, signature },
    publicKey: { kty, crv, x },
    totals,
    chain: leaf,
  });
};

const linesOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

/** The signed bytes. @param holdingsHash SHA-256 of everything before the liabilities, 64 hex digits */
export const reservesText = (holdingsHash: string, liabilities: readonly string[]): string =>
  JSON.stringify(['florin-reserves-1', holdingsHash, hash('sha256', linesOf(liabilities))]);

/** SHA-256 of lines, line by line. */
export const createLinesHash = () => {
  const made = createHash('sha256');
  return { add: (line: string) => void made.update(`${line}\n`), digest: () => made.digest('hex') };
};

type Stored = {
  snapshots: Pick<SnapshotStore, 'find' | 'linesAround' | 'roots'>;
  heads: Pick<HeadStore, 'findWithRoot'>;
  /** Keys whose heads are valid. */
  trusted: readonly PublicKey[];
};

/** The liabilities of a shard after a block. @returns undefined without such a snapshot, or when it was made before snapshots had totals */
export const findLiabilities = async (
  { snapshots, heads, trusted }: Stored,
  { shard, n }: { shard: string; n: number },
): Promise<Liabilities | undefined> => {
  const snapshot = await snapshots.find(shard, n);
  const head = await heads.findWithRoot(shard, n);
  const publicKey = trusted.find((one) => keyId(one) === head?.key);
  if (snapshot?.totals === undefined || head === undefined || publicKey === undefined) return undefined;
  const bucket = bucketOf(CHAIN_ACCOUNT);
  const members = (await snapshots.linesAround(shard, n, bucket)).filter(([id]) => bucketOf(id) === bucket);
  const leaf = makeLeafProof(CHAIN_ACCOUNT, members, await snapshots.roots(shard, n));
  return { head, publicKey, totals: snapshot.totals, chain: leaf ?? null };
};

/** The end of a file: the liabilities, and the signature under everything. */
export const signReserves = (key: HeadKey, holdingsHash: string, liabilities: readonly Liabilities[]): string => {
  const lines = liabilities.map(encodeLiabilities);
  const signature = key.sign(reservesText(holdingsHash, lines));
  return linesOf([...lines, JSON.stringify(['signature', key.id, key.publicKey.x, signature])]);
};
