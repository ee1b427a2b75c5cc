import { BUCKETS, bucketOf, joinSubtrees, type Owed, owedBucketRoot, owedTo, rootOf, type Subtree, signHead } from '@florin/evm/reserves';
import type { SigningKey } from '@florin/rpc/signing-key';
import { type Book, createBook } from '../audit/book.ts';
import { readBlocks } from '../audit/read-blocks.ts';
import { type Source, TooManyError } from '../audit/source.ts';
import { applyBlock, type Opening } from '../audit/verify-shard.ts';
import type { HeadStore } from '../store/heads.ts';
import type { Snapshot, SnapshotStore } from '../store/snapshots.ts';
import { type AccountTree, addToTotals, createAccountTree, forEachRange, type Range, rangeCovers, spellTotals } from './account-tree.ts';

const BUCKETS_PER_PART = 64;

export type SnapshotOptions = {
  source: Source;
  shard: string;
  /** All shards of the ledger, which the head names. */
  shards: readonly string[];
  /** Number of the block that the snapshot is to be as of. */
  last: number;
  /** Where reading begins: the snapshot before, or the beginning of the journal. */
  opening: Opening & { root?: string };
  snapshots: SnapshotStore;
  heads: Pick<HeadStore, 'add'>;
  key: SigningKey;
  limits: { maxAccounts: number; maxIds: number };
};

/** Accounts whose records are read together. */
const READ_AT_ONCE = 1000;

/** The Safes of accounts, in lower case, by id. */
const readSafes = async (source: Source, ids: readonly string[]): Promise<ReadonlyMap<string, string>> => {
  const safes = new Map<string, string>();
  for (let from = 0; from < ids.length; from += READ_AT_ONCE) {
    const filter = { _id: { $in: ids.slice(from, from + READ_AT_ONCE) } };
    const found = source.collection('accounts').find(filter, { projection: { safeAddress: 1 } });
    for await (const { _id, safeAddress } of found as AsyncIterable<{ _id: string; safeAddress: string }>)
      safes.set(_id, safeAddress.toLowerCase());
  }
  return safes;
};

const saveParts = async (
  options: SnapshotOptions,
  range: Range,
  book: Book,
  tree: AccountTree,
  totals: Map<string, bigint>,
): Promise<Buffer[]> => {
  const { source, shard, last, snapshots } = options;
  const byPlace = [...book.ids()].map((id) => ({ id, bucket: bucketOf(id) })).sort((a, b) => a.bucket - b.bucket || (a.id < b.id ? -1 : 1));
  const owedRoots: Buffer[] = [];
  let next = 0;
  for (let { from } = range; from < range.to; from += BUCKETS_PER_PART) {
    const to = Math.min(from + BUCKETS_PER_PART, range.to);
    const lines = [];
    const owed = Array.from({ length: to - from }, (): Owed[] => []);
    for (; (byPlace[next]?.bucket ?? to) < to; next += 1) {
      const line = book.lineOf(byPlace[next]?.id ?? '');
      if (line === undefined) continue;
      lines.push(line);
      addToTotals(totals, line);
    }
    const found = await readSafes(
      source,
      lines.flatMap((line) => owedTo(line, '')?.[0] ?? []),
    );
    const safes = lines.map(([id]) => found.get(id) ?? '');
    for (const [index, line] of lines.entries()) {
      const own = owedTo(line, safes[index] ?? '');
      if (own !== undefined) owed[bucketOf(line[0]) - from]?.push(own);
    }
    const roots = Buffer.concat(Array.from({ length: to - from }, (_, index) => tree.rootOfBucket(from + index)));
    const ofPart = owed.map(owedBucketRoot);
    await snapshots.savePart(shard, last, { from, to, lines, safes, roots, owed: Buffer.concat(ofPart) });
    owedRoots.push(...ofPart);
  }
  return owedRoots;
};

/**
 * Reads the journal on from the last snapshot with the audit's own arithmetic, stores all balances as of block `last`, and signs a
 * head that states the root of their tree. Balances that the audit finds wrong are never signed. May be repeated, and done twice at once.
 * @throws AuditError when the journal is wrong; Error when the snapshot that it begins with is, or a newer one has removed parts of this one
 */
export const makeSnapshot = async (options: SnapshotOptions): Promise<Snapshot> => {
  const { source, shard, shards, last, opening, snapshots, heads, key, limits } = options;
  const before: Subtree[] = [];
  const after: Subtree[] = [];
  const totals = new Map<string, bigint>();
  const owedRoots: Buffer[] = [];
  let accounts = 0;
  let { place } = opening;
  await forEachRange(
    async (range) => {
      const book = createBook({ covers: (id) => rangeCovers(range, id), ...limits });
      const tree = createAccountTree(range);
      const changed = new Set<string>();
      const update = (): Subtree => {
        for (const id of changed) {
          const line = book.lineOf(id);
          if (line !== undefined) tree.put(line);
        }
        changed.clear();
        return tree.subtree();
      };
      for await (const line of opening.accounts()) {
        if (!rangeCovers(range, line[0])) continue;
        book.load(line);
        changed.add(line[0]);
      }
      const opened = update();
      for await (const block of readBlocks(source, shard, opening.place, last)) {
        for (const id of applyBlock(book, block)) changed.add(id);
        if (range.to === BUCKETS) place = { n: block.n, hash: block.hash, at: block.at };
      }
      after.push(update());
      before.push(opened);
      owedRoots.push(...(await saveParts(options, range, book, tree, totals)));
      accounts += [...book.ids()].length;
    },
    (error) => error instanceof TooManyError,
  );
  if (opening.root !== undefined && joinSubtrees(before).toString('hex') !== opening.root) {
    throw new Error(`the snapshot of block ${shard}:${opening.place.n} differs from its root`);
  }
  const { n, hash, at } = place;
  const [root, owed] = [joinSubtrees(after).toString('hex'), rootOf(owedRoots).toString('hex')];
  const snapshot = { shard, n, hash, at, root, accounts, totals: spellTotals(totals), owed };
  await heads.add(signHead(key, { shard, n, hash, at: at.toISOString(), root, owed, shards: [...shards] }));
  await snapshots.save(snapshot);
  // A newer snapshot that was made meanwhile may have removed parts of this one.
  if (rootOf(await snapshots.roots(shard, n)).toString('hex') !== snapshot.root) {
    await snapshots.remove(shard, n);
    throw new Error(`the snapshot of block ${shard}:${n} was removed while it was made: a newer one exists`);
  }
  await snapshots.dropBefore(shard, opening.place.n);
  return snapshot;
};
