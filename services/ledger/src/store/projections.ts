import { type Connection, Schema } from 'mongoose';
import type { ProjectionAudit, Projections } from '../journal/ports.ts';
import type { Accounts } from './accounts.ts';
import { insertMissing } from './insert-missing.ts';
import type { Movements } from './movements.ts';

type EntryDocument = { _id: string; shard: string; n: number; inputHash: string };
type CheckpointDocument = { _id: string; n: number };

const entrySchema = new Schema<EntryDocument>(
  {
    _id: String,
    shard: { type: String, required: true },
    n: { type: Number, required: true },
    inputHash: { type: String, required: true },
  },
  { collection: 'entries', versionKey: false },
).index({ shard: 1, n: 1 });

const checkpointSchema = new Schema<CheckpointDocument>(
  { _id: String, n: { type: Number, required: true } },
  { collection: 'checkpoints', versionKey: false },
);

/** Ids of the journal's entries, checkpoints, and what else is written behind the journal. */
export const createProjections = (connection: Connection, movements: Movements, accounts: Accounts): Projections & ProjectionAudit => {
  const entries = connection.model('Entry', entrySchema);
  const checkpoints = connection.model('Checkpoint', checkpointSchema);
  return {
    loadCheckpoint: async (shard) => (await checkpoints.findById(shard).lean())?.n ?? 0,
    saveCheckpoint: async (shard, n) => {
      await checkpoints.updateOne({ _id: shard }, { $max: { n } }, { upsert: true });
    },
    saveMovements: movements.save,
    closeAccount: accounts.close,
    saveEntries: (shard, blocks) =>
      insertMissing(
        entries.collection,
        blocks.flatMap(({ n, entries: list }) => list.map(({ id, inputHash }) => ({ _id: id, shard, n, inputHash }))),
      ),
    findEntries: async (ids) => {
      const found = await entries.find({ _id: { $in: ids } }, { n: 1, inputHash: 1 }).lean();
      return new Map(found.map(({ _id, n, inputHash }) => [_id, { n, inputHash }]));
    },
    findMovementStates: async (list, ids) => new Map((await movements.findMany(list, ids)).map((movement) => [movement.id, movement])),
    countEntries: (shard, n) => entries.countDocuments({ shard, n: { $lte: n } }),
    countMovements: movements.count,
  };
};
