import { type Connection, Schema } from 'mongoose';
import type { MovementChange } from '../domain/movement.ts';
import type { PendingScreenings } from '../screening/screening.ts';
import { insertMissing } from './insert-missing.ts';

type ScreeningDocument = { _id: string; shard: string; accountId: string; dueAt: Date; attempts: number };

const schema = new Schema<ScreeningDocument>(
  {
    _id: String,
    shard: { type: String, required: true },
    accountId: { type: String, required: true },
    dueAt: { type: Date, required: true },
    attempts: { type: Number, required: true },
  },
  { collection: 'pending_screenings', versionKey: false },
).index({ shard: 1, dueAt: 1 });

export type Screenings = PendingScreenings & {
  save: (shard: string, changes: readonly MovementChange[]) => Promise<void>;
  /** Up to `limit` ids of pending deposits of all shards that come after `after`, ascending. */
  ids: (after: string | undefined, limit: number) => Promise<string[]>;
};

/**
 * Pending deposits to screen. The set of deposits is a projection of the journal. The screening itself writes when each is due next;
 * losing that time is harmless.
 */
export const createScreenings = (connection: Connection): Screenings => {
  const model = connection.model<ScreeningDocument>('PendingScreening', schema);
  return {
    save: async (shard, changes) => {
      const deposits = changes.filter(({ list }) => list === 'deposits');
      const decided = deposits.flatMap((change) => (change.kind === 'updated' ? [change.update.id] : []));
      const seen = deposits.flatMap((change) =>
        change.kind === 'created' && !decided.includes(change.movement.id)
          ? [{ _id: change.movement.id, shard, accountId: change.movement.accountId, dueAt: change.movement.createdAt, attempts: 0 }]
          : [],
      );
      await insertMissing(model, seen);
      if (decided.length > 0) await model.deleteMany({ _id: { $in: decided } });
    },
    ids: async (after, limit) => {
      const found = model.find(after === undefined ? {} : { _id: { $gt: after } }, { _id: 1 });
      return (await found.sort({ _id: 1 }).limit(limit).lean<{ _id: string }[]>()).map(({ _id }) => _id);
    },
    due: async (shard, now, limit) => {
      const found = await model
        .find({ shard, dueAt: { $lte: now } })
        .sort({ dueAt: 1 })
        .limit(limit)
        .lean<ScreeningDocument[]>();
      return found.map(({ _id, accountId, dueAt, attempts }) => ({ depositId: _id, accountId, dueAt, attempts }));
    },
    take: async ({ depositId, dueAt }, again) => {
      const { modifiedCount } = await model.updateOne({ _id: depositId, dueAt }, { $set: { dueAt: again }, $inc: { attempts: 1 } });
      return modifiedCount === 1;
    },
    drop: async (depositId) => {
      await model.deleteOne({ _id: depositId });
    },
  };
};
