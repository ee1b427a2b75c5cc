import { isDuplicateKey } from '@florin/data/store';
import { type Connection, Schema } from 'mongoose';
import type { Checkpoint, CheckpointStore } from '../journal/ports.ts';

type CheckpointDocument = { _id: string; epoch?: number; projected?: number; paged?: NonNullable<Checkpoint['paged']> };

const schema = new Schema<CheckpointDocument>(
  {
    _id: String,
    epoch: Number,
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

const toCheckpoint = (found: CheckpointDocument | null): Checkpoint => ({
  epoch: found?.epoch ?? 0,
  projected: found?.projected ?? 0,
  ...(found?.paged === undefined ? {} : { paged: found.paged }),
});

/** One document per shard. */
export const createCheckpointStore = (connection: Connection): CheckpointStore => {
  const model = connection.model<CheckpointDocument>('Checkpoint', schema);
  return {
    load: async (shard) => toCheckpoint(await model.findById(shard).lean<CheckpointDocument>()),
    claim: async (shard, epoch) => {
      try {
        const claimed = await model
          .findOneAndUpdate(
            { _id: shard, $or: [{ epoch: null }, { epoch: { $lt: epoch } }] },
            { $set: { epoch } },
            { upsert: true, returnDocument: 'after' },
          )
          .lean<CheckpointDocument>();
        return toCheckpoint(claimed);
      } catch (error) {
        // It is claimed for this term or a later one: the filter did not match it, and the upsert met it.
        if (isDuplicateKey(error)) return undefined;
        throw error;
      }
    },
    saveProjected: async (shard, n) => {
      await model.updateOne({ _id: shard }, { $max: { projected: n } }, { upsert: true });
    },
    savePaged: async (shard, epoch, paged) => {
      const { matchedCount } = await model.updateOne(
        { _id: shard, epoch, $or: [{ paged: null }, { 'paged.n': { $lt: paged.n } }] },
        { $set: { paged } },
      );
      return matchedCount === 1;
    },
  };
};
