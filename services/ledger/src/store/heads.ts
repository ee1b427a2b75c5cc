import { isDuplicateKey } from '@florin/data/store';
import type { Head } from '@florin/evm/reserves';
import { type Connection, Schema } from 'mongoose';

/** `_id` is `<shard>:<n>`, followed by `:root` when the head states a root: both kinds may name one block. */
type HeadDocument = Head & { _id: string };

const schema = new Schema<HeadDocument>(
  {
    _id: String,
    shard: { type: String, required: true },
    n: { type: Number, required: true },
    hash: { type: String, required: true },
    at: { type: String, required: true },
    root: String,
    owed: String,
    shards: { type: [String], default: undefined },
    key: { type: String, required: true },
    signature: { type: String, required: true },
  },
  { collection: 'heads', versionKey: false },
).index({ shard: 1, n: -1 });

/** Heads of a shard without a root that are kept. Heads with a root are kept without limit: there are few. */
const PLAIN_HEADS_KEPT = 2000;

const toHead = ({ _id, root, ...head }: HeadDocument): Head => ({ ...head, ...(root === undefined ? {} : { root }) });

export type HeadStore = {
  /** Adds a head, unless one of the same kind for the same block is stored. */
  add: (head: Head) => Promise<void>;
  /** Newest heads of a shard, newest first. */
  newest: (shard: string, limit: number) => Promise<Head[]>;
  /** Newest head of a shard that states a root. */
  newestWithRoot: (shard: string) => Promise<Head | undefined>;
  findWithRoot: (shard: string, n: number) => Promise<Head | undefined>;
  /** All stored heads of a shard, oldest first. */
  all: (shard: string) => Promise<Head[]>;
  /** Removes heads without a root beyond the number that is kept. */
  prune: (shard: string) => Promise<void>;
};

/** Signed heads of the journal. */
export const createHeadStore = (connection: Connection): HeadStore => {
  const model = connection.model<HeadDocument>('Head', schema);
  const idOf = ({ shard, n, root }: Pick<Head, 'shard' | 'n' | 'root'>): string => `${shard}:${n}${root === undefined ? '' : ':root'}`;
  return {
    add: async (head) => {
      try {
        await model.create({ _id: idOf(head), ...head });
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
    },
    newest: async (shard, limit) => (await model.find({ shard }).sort({ n: -1 }).limit(limit).lean<HeadDocument[]>()).map(toHead),
    newestWithRoot: async (shard) => {
      const found = await model
        .findOne({ shard, root: { $ne: null } })
        .sort({ n: -1 })
        .lean<HeadDocument>();
      return found === null ? undefined : toHead(found);
    },
    findWithRoot: async (shard, n) => {
      const found = await model.findById(`${shard}:${n}:root`).lean<HeadDocument>();
      return found === null ? undefined : toHead(found);
    },
    all: async (shard) => (await model.find({ shard }).sort({ n: 1 }).lean<HeadDocument[]>()).map(toHead),
    prune: async (shard) => {
      const plain = { shard, root: null };
      const last = await model.findOne(plain).sort({ n: -1 }).skip(PLAIN_HEADS_KEPT).lean<HeadDocument>();
      if (last !== null) await model.deleteMany({ ...plain, n: { $lte: last.n } });
    },
  };
};
