import {
  BUCKETS,
  bucketOf,
  CHAIN_ACCOUNT,
  type Head,
  type Liabilities,
  linesOf,
  type Owed,
  type OwedPath,
  owedPath,
  owedTo,
  reservesText,
  spellHead,
} from '@florin/evm/reserves';
import { keyId, type PublicKey, type SigningKey } from '@florin/rpc/signing-key';
import type { HeadStore } from '../store/heads.ts';
import type { SnapshotStore } from '../store/snapshots.ts';
import { makeLeafProof } from './balance-proof.ts';

/** The one spelling of a line. */
const encodeLiabilities = ({ head, publicKey, totals, chain }: Liabilities): string => {
  const { kty, crv, x } = publicKey;
  const leaf = chain && { account: chain.account, accountPath: chain.accountPath, bucketPath: chain.bucketPath };
  return JSON.stringify({
    head: spellHead(head),
    publicKey: { kty, crv, x },
    totals,
    chain: leaf,
  });
};

type Stored = {
  snapshots: Pick<SnapshotStore, 'find' | 'accountsAround' | 'roots'>;
  heads: Pick<HeadStore, 'findWithRoot'>;
  /** Keys whose heads are valid. */
  trusted: readonly PublicKey[];
};

/** Characters of a page: with the line that exceeds them, it fits into a part of the file. */
const PAGE_CHARACTERS = 96 * 1024;

/**
 * A page of the lines that say what is owed to the accounts of a shard after a block.
 * @param cursor empty for the first page
 * @returns an empty cursor with the last page; undefined without such a snapshot, with one of an earlier release, or with a cursor that is none
 */
export const owedLines = async (
  snapshots: Pick<SnapshotStore, 'find' | 'part'>,
  { shard, n }: { shard: string; n: number },
  cursor: string,
): Promise<{ text: string; nextCursor: string } | undefined> => {
  if ((await snapshots.find(shard, n))?.owed === undefined) return undefined;
  let [from = 0, skip = 0] = cursor === '' ? [] : cursor.split('.').map(Number);
  let text = '';
  while (from < BUCKETS) {
    const part = await snapshots.part(shard, n, from);
    if (part?.safes === undefined) return undefined;
    for (const [index, line] of part.lines.entries()) {
      if (index < skip) continue;
      if (text.length > PAGE_CHARACTERS) return { text, nextCursor: `${from}.${index}` };
      const owed = owedTo(line, part.safes[index] ?? '');
      if (owed !== undefined) text += `${JSON.stringify(['owed', shard, ...owed])}\n`;
    }
    [from, skip] = [part.to, 0];
  }
  return { text, nextCursor: '' };
};

/** The amounts owed to an account, with the way to the head that states them; neither where nothing is owed. */
export type ProvenOwed = { owed?: Owed; path?: OwedPath; head: Head; publicKey: PublicKey };

/** Returns the amounts owed to an account as of the chain's newest proof of reserves, undefined without one. */
export const proveOwed = async (
  { snapshots, heads, trusted }: Stored & { snapshots: Pick<SnapshotStore, 'ofReserves'> },
  { shard, accountId, chainId }: { shard: string; accountId: string; chainId: number },
): Promise<ProvenOwed | undefined> => {
  const snapshot = await snapshots.ofReserves(shard, chainId);
  if (snapshot === undefined) return undefined;
  const head = await heads.findWithRoot(shard, snapshot.n);
  const publicKey = trusted.find((one) => keyId(one) === head?.key);
  if (head?.owed === undefined || publicKey === undefined) return undefined;
  const bucket = bucketOf(accountId);
  const { lines, safes } = await snapshots.accountsAround(shard, snapshot.n, bucket);
  if (safes === undefined) return undefined;
  const all = lines.map((line, index) => (bucketOf(line[0]) === bucket ? owedTo(line, safes[index] ?? '') : undefined));
  const own = all.filter((one) => one !== undefined);
  const path = owedPath(accountId, own, await snapshots.roots(shard, snapshot.n, 'owed'));
  const owed = own.find(([id]) => id === accountId);
  return { head, publicKey, ...(path && owed && { owed, path }) };
};

/** The liabilities of a shard after a block. @returns undefined without such a snapshot, or when it was made by an earlier release */
export const findLiabilities = async (
  { snapshots, heads, trusted }: Stored,
  { shard, n }: { shard: string; n: number },
): Promise<Liabilities | undefined> => {
  const snapshot = await snapshots.find(shard, n);
  const head = await heads.findWithRoot(shard, n);
  const publicKey = trusted.find((one) => keyId(one) === head?.key);
  if (snapshot?.totals === undefined || head?.owed === undefined || head.shards === undefined || publicKey === undefined) return undefined;
  const bucket = bucketOf(CHAIN_ACCOUNT);
  const members = (await snapshots.accountsAround(shard, n, bucket)).lines.filter(([id]) => bucketOf(id) === bucket);
  const leaf = makeLeafProof(CHAIN_ACCOUNT, members, await snapshots.roots(shard, n));
  return { head, publicKey, totals: snapshot.totals, chain: leaf ?? null };
};

/** The end of a file: the liabilities, and the signature under everything. */
export const signReserves = (key: SigningKey, holdingsHash: string, liabilities: readonly Liabilities[]): string => {
  const lines = liabilities.map(encodeLiabilities);
  const signature = key.sign(reservesText(holdingsHash, lines));
  return linesOf([...lines, JSON.stringify(['signature', key.id, key.publicKey.x, signature])]);
};
