import { isDuplicateKey } from '@florin/data/store';
import { type Connection, Schema } from 'mongoose';
import type { Checkpoint, CheckpointStore } from '../journal/ports.ts';

type CheckpointDocument = { _id: string; projected?: number; paged?: NonNullable<Checkpoint['paged']> };

const schema = new Schema<CheckpointDocument>(
  {
    _id: String,
    projected: Number,
    paged: {
      type: new Schema(
        { n: { type: Number, required: true }, hash: { type: String, required: true }, at: { type: Date, required: true } },
        { _id: false },
      ),
    },
  },
  { collection: 'checkpoints', versionKey: false },
);

/** One document per shard. */
export const createCheckpointStore = (connection: Connection): CheckpointStore => {
  const model = connection.model<CheckpointDocument>('Checkpoint', schema);
  return {
    load: async (shard) => {
      const found = await model.findById(shard).lean<CheckpointDocument>();
      return { projected: found?.projected ?? 0, ...(found?.paged === undefined ? {} : { paged: found.paged }) };
    },
    saveProjected: async (shard, n) => {
      await model.updateOne({ _id: shard }, { $max: { projected: n } }, { upsert: true });
    },
    savePaged: async (shard, paged) => {
      try {
        // Both halves of the condition: a checkpoint without pages yet, or one of an earlier block.
        await model.updateOne(
          { _id: shard, $or: [{ paged: null }, { 'paged.n': { $lt: paged.n } }] },
          { $set: { paged } },
          { upsert: true },
        );
      } catch (error) {
        // One of a later block is there.
        if (!isDuplicateKey(error)) throw error;
      }
    },
  };
};
