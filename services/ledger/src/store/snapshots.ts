import { LATEST } from '@florin/data/store';
import { type Connection, Schema } from 'mongoose';
import type { AccountLine } from '../audit/book.ts';

/** Amounts by name. */
export type Totals = [key: string, amount: string][];

/** All accounts of a shard as of a block; its tree of balances has the root. */
export type Snapshot = {
  shard: string;
  n: number;
  hash: string;
  at: Date;
  root: string;
  accounts: number;
  /** Sums over all accounts: of users by `<token>/<bucket>`, of system accounts by `<token>/system/<name>`. Sorted, without zeros. Absent in old ones. */
  totals?: Totals;
  /** Root of the tree of what is owed; absent in old ones. */
  owed?: string;
  /** True if the journal begins after it: older blocks are in archive files. */
  archive?: boolean;
  /** Chains whose newest proof of reserves rests on it. */
  reservesOf?: number[];
};

/**
 * Accounts of the buckets from `from` to before `to`, sorted by bucket and id, and the buckets' roots in the trees of balances and of what is owed (32 bytes
 * each). `safes`: the Safe (lower case) of each account to which something is owed, else empty.
 */
export type SnapshotPart = {
  from: number;
  to: number;
  lines: readonly AccountLine[];
  safes: readonly string[];
  roots: Buffer;
  owed: Buffer;
};

/** Accounts with their Safes, which the parts of early snapshots do not have. */
export type PartAccounts = { lines: AccountLine[]; safes?: string[] };

type SnapshotDocument = Snapshot & { _id: string };
type PartDocument = {
  _id: string;
  shard: string;
  n: number;
  from: number;
  to: number;
  text: string;
  safes?: string;
  roots: string;
  owed?: string;
};

const snapshotSchema = new Schema<SnapshotDocument>(
  {
    _id: String,
    shard: { type: String, required: true },
    n: { type: Number, required: true },
    hash: { type: String, required: true },
    at: { type: Date, required: true },
    root: { type: String, required: true },
    accounts: { type: Number, required: true },
    totals: { type: [[String]], default: undefined },
    owed: String,
    archive: Boolean,
    reservesOf: { type: [Number], default: undefined },
  },
  { collection: 'snapshots', versionKey: false },
).index({ shard: 1, n: -1 });

const partSchema = new Schema<PartDocument>({ _id: String }, { collection: 'snapshot_parts', versionKey: false, strict: false }).index({
  shard: 1,
  n: 1,
  from: 1,
});

const readLines = (text: string): AccountLine[] => (text === '' ? [] : text.split('\n').map((line) => JSON.parse(line) as AccountLine));

const readAccounts = ({ text, safes }: Pick<PartDocument, 'text' | 'safes'>): PartAccounts => {
  const lines = readLines(text);
  return safes === undefined ? { lines } : { lines, safes: safes.split('\n') };
};

const toSnapshot = ({ _id, ...snapshot }: SnapshotDocument): Snapshot => snapshot;

export type SnapshotStore = {
  /** Parts first: a snapshot without its header does not exist. */
  savePart: (shard: string, n: number, part: SnapshotPart) => Promise<void>;
  save: (snapshot: Snapshot) => Promise<void>;
  newest: (shard: string) => Promise<Snapshot | undefined>;
  find: (shard: string, n: number) => Promise<Snapshot | undefined>;
  /** Newest snapshot of a block before n. */
  newestBefore: (shard: string, n: number) => Promise<Snapshot | undefined>;
  /** Snapshot after which the stored journal begins; undefined when it begins with block 1. */
  archive: (shard: string) => Promise<Snapshot | undefined>;
  /** Makes the journal begin after this snapshot, which stays from then on. @returns false if it was removed before */
  markArchive: (shard: string, n: number) => Promise<boolean>;
  accounts: (shard: string, n: number) => AsyncIterable<AccountLine>;
  /** Roots of all buckets in the tree of balances, or of what is owed, in order. */
  roots: (shard: string, n: number, tree?: 'roots' | 'owed') => Promise<Buffer[]>;
  /** Accounts of the part that holds a bucket. */
  accountsAround: (shard: string, n: number, bucket: number) => Promise<PartAccounts>;
  /** The accounts of the part that begins with a bucket, and the bucket with which the next part begins. */
  part: (shard: string, n: number, from: number) => Promise<(PartAccounts & { to: number }) | undefined>;
  /** Keeps a snapshot until another is that of the chain's newest proof of reserves. @returns false if it was removed before */
  markReserves: (shard: string, n: number, chainId: number) => Promise<boolean>;
  /** Snapshot of the chain's newest proof of reserves. */
  ofReserves: (shard: string, chainId: number) => Promise<Snapshot | undefined>;
  /** Removes snapshots of blocks before n, except the one that the journal begins after, and those of proofs of reserves. */
  dropBefore: (shard: string, n: number) => Promise<void>;
  /** Removes a snapshot unless the journal begins after it. */
  remove: (shard: string, n: number) => Promise<void>;
};

const HASH_BYTES = 32;

export const createSnapshotStore = (connection: Connection): SnapshotStore => {
  const snapshots = connection.model<SnapshotDocument>('Snapshot', snapshotSchema);
  const parts = connection.model<PartDocument>('SnapshotPart', partSchema).collection;
  const findOne = async (filter: object): Promise<Snapshot | undefined> => {
    const found = await snapshots.findOne(filter).sort({ n: -1 }).lean<SnapshotDocument>();
    return found === null ? undefined : toSnapshot(found);
  };
  const archive: SnapshotStore['archive'] = (shard) => findOne({ shard, archive: true });
  /** Headers first: the one that stays, also when it was marked just now, keeps its parts. */
  const drop = async (shard: string, n: { $gte?: number; $lte?: number; $lt?: number }): Promise<void> => {
    await snapshots.deleteMany({ shard, n, archive: { $ne: true }, 'reservesOf.0': { $exists: false } });
    const kept = await snapshots.collection.distinct('n', { shard }, LATEST);
    await parts.deleteMany({ shard, n: { ...n, $nin: kept } });
  };
  return {
    archive,
    markArchive: async (shard, n) => {
      const { matchedCount } = await snapshots.updateOne({ _id: `${shard}:${n}` }, { $set: { archive: true } });
      if (matchedCount === 0) return false;
      await snapshots.updateMany({ shard, n: { $lt: n }, archive: true }, { $unset: { archive: 1 } });
      return true;
    },
    newest: (shard) => findOne({ shard }),
    find: (shard, n) => findOne({ shard, n }),
    newestBefore: (shard, n) => findOne({ shard, n: { $lt: n } }),
    savePart: async (shard, n, { from, to, lines, safes, roots, owed }) => {
      const text = lines.map((line) => JSON.stringify(line)).join('\n');
      const document = {
        shard,
        n,
        from,
        to,
        text,
        safes: safes.join('\n'),
        roots: roots.toString('base64'),
        owed: owed.toString('base64'),
      };
      await parts.replaceOne({ _id: `${shard}:${n}:${from}` as never }, document, { upsert: true });
    },
    save: async (snapshot) => {
      await snapshots.replaceOne({ _id: `${snapshot.shard}:${snapshot.n}` }, snapshot, { upsert: true });
    },
    accounts: async function* (shard, n) {
      for await (const { text } of parts.find<PartDocument>({ shard, n }).sort({ from: 1 }).batchSize(1)) yield* readLines(text);
    },
    roots: async (shard, n, tree = 'roots') => {
      const found = await parts
        .find<PartDocument>({ shard, n }, { projection: { [tree]: 1 } })
        .sort({ from: 1 })
        .toArray();
      const all = Buffer.concat(found.map((part) => Buffer.from(part[tree] ?? '', 'base64')));
      return Array.from({ length: all.length / HASH_BYTES }, (_, index) => all.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES));
    },
    accountsAround: async (shard, n, bucket) => {
      const found = await parts.findOne<PartDocument>({ shard, n, from: { $lte: bucket }, to: { $gt: bucket } });
      return readAccounts(found ?? { text: '' });
    },
    part: async (shard, n, from) => {
      const found = await parts.findOne<PartDocument>({ shard, n, from });
      return found === null ? undefined : { ...readAccounts(found), to: found.to };
    },
    markReserves: async (shard, n, chainId) => {
      const { matchedCount } = await snapshots.updateOne({ _id: `${shard}:${n}` }, { $addToSet: { reservesOf: chainId } });
      if (matchedCount === 0) return false;
      await snapshots.updateMany({ shard, n: { $lt: n }, reservesOf: chainId }, { $pull: { reservesOf: chainId } });
      return true;
    },
    ofReserves: (shard, chainId) => findOne({ shard, reservesOf: chainId }),
    dropBefore: (shard, n) => drop(shard, { $lt: n }),
    remove: (shard, n) => drop(shard, { $lte: n, $gte: n }),
  };
};
