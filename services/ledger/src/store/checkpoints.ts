import { hash } from 'node:crypto';
import { isDuplicateKey } from '@florin/data/store';
import { type Connection, Schema } from 'mongoose';
import type { Checkpoint, CheckpointStore } from '../journal/ports.ts';

/** `projectedSum` lets an audit tell a changed `projected` from an earlier one; `paged` names its block's hash. */
type CheckpointDocument = { _id: string; projected?: number; projectedSum?: string; paged?: NonNullable<Checkpoint['paged']> };

const schema = new Schema<CheckpointDocument>(
  {
    _id: String,
    projected: Number,
    projectedSum: String,
    paged: {
      type: new Schema(
        { n: { type: Number, required: true }, hash: { type: String, required: true }, at: { type: Date, required: true } },
        { _id: false },
      ),
    },
  },
  { collection: 'checkpoints', versionKey: false },
);

/** How a checkpoint says how far the projections are. */
export const projectedFields = (shard: string, projected: number) => ({
  projected,
  projectedSum: hash('sha256', `${shard}:${projected}`, 'base64url'),
});

/** One document per shard. */
export const createCheckpointStore = (connection: Connection): CheckpointStore => {
  const model = connection.model<CheckpointDocument>('Checkpoint', schema);
  /** Sets `changes` unless `field` is at n or beyond. */
  const forward = async (shard: string, field: 'projected' | 'paged.n', n: number, changes: object): Promise<void> => {
    try {
      await model.updateOne({ _id: shard, $or: [{ [field]: null }, { [field]: { $lt: n } }] }, { $set: changes }, { upsert: true });
    } catch (error) {
      // A checkpoint of a later block is stored: the filter did not match, and the upsert met it.
      if (!isDuplicateKey(error)) throw error;
    }
  };
  return {
    load: async (shard) => {
      const found = await model.findById(shard).lean<CheckpointDocument>();
      return { projected: found?.projected ?? 0, ...(found?.paged === undefined ? {} : { paged: found.paged }) };
    },
    saveProjected: async (shard, n) => {
      await forward(shard, 'projected', n, projectedFields(shard, n));
    },
    savePaged: (shard, paged) => forward(shard, 'paged.n', paged.n, { paged }),
  };
};
