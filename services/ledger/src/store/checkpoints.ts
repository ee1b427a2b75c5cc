import { hash } from 'node:crypto';
import { isDuplicateKey } from '@florin/data/store';
import { type Connection, Schema } from 'mongoose';
import type { Checkpoint, CheckpointStore } from '../journal/ports.ts';

/** `projectedSum` and `epochSum` reveal a changed number to an audit; `paged` names its block's hash. */
type CheckpointDocument = {
  _id: string;
  epoch?: number;
  epochSum?: string;
  projected?: number;
  projectedSum?: string;
  paged?: NonNullable<Checkpoint['paged']>;
};

const schema = new Schema<CheckpointDocument>(
  {
    _id: String,
    epoch: Number,
    epochSum: String,
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

const toCheckpoint = (found: CheckpointDocument | null): Checkpoint => ({
  epoch: found?.epoch ?? 0,
  projected: found?.projected ?? 0,
  ...(found?.paged === undefined ? {} : { paged: found.paged }),
});

const sumOf = (shard: string, name: string, n: number): string => hash('sha256', `${shard}:${name}:${n}`, 'base64url');

/** How a checkpoint states the block up to which the projections are written. */
export const projectedFields = (shard: string, projected: number) => ({ projected, projectedSum: sumOf(shard, 'projected', projected) });

/** How a checkpoint states the term that claimed it. */
export const epochFields = (shard: string, epoch: number) => ({ epoch, epochSum: sumOf(shard, 'epoch', epoch) });

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
            { $set: epochFields(shard, epoch) },
            { upsert: true, returnDocument: 'after' },
          )
          .lean<CheckpointDocument>();
        return toCheckpoint(claimed);
      } catch (error) {
        // Duplicate key: the document exists but is claimed for this term or a later one.
        if (isDuplicateKey(error)) return undefined;
        throw error;
      }
    },
    saveProjected: async (shard, n) => {
      try {
        const behind = { _id: shard, $or: [{ projected: null }, { projected: { $lt: n } }] };
        await model.updateOne(behind, { $set: projectedFields(shard, n) }, { upsert: true });
      } catch (error) {
        // Duplicate key: the document exists and covers this block already.
        if (!isDuplicateKey(error)) throw error;
      }
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
