import { type Connection, Schema } from 'mongoose';
import type { HoldChange } from '../domain/projection.ts';
import { insertMissing } from './insert-missing.ts';

type HoldDocument = { _id: string; shard: string; accountId: string; expiresAt: Date };

const schema = new Schema<HoldDocument>(
  {
    _id: String,
    shard: { type: String, required: true },
    accountId: { type: String, required: true },
    expiresAt: { type: Date, required: true },
  },
  { collection: 'open_holds', versionKey: false },
).index({ shard: 1, expiresAt: 1 });

export type Holds = {
  save: (shard: string, changes: readonly HoldChange[]) => Promise<void>;
  /** Holds whose time is over, the longest over first. */
  expired: (shard: string, now: Date, limit: number) => Promise<{ holdId: string; accountId: string }[]>;
  forget: (holdIds: readonly string[]) => Promise<void>;
};

/** Open holds by their end: a projection of the journal, for whoever ends them. */
export const createHolds = (connection: Connection): Holds => {
  const model = connection.model<HoldDocument>('OpenHold', schema);
  const forget = async (holdIds: readonly string[]): Promise<void> => {
    if (holdIds.length > 0) await model.deleteMany({ _id: { $in: holdIds } });
  };
  return {
    save: async (shard, changes) => {
      const ended = changes.flatMap((change) => (change.kind === 'ended' ? [change.holdId] : []));
      const opened = changes.flatMap((change) =>
        change.kind === 'opened' && !ended.includes(change.holdId)
          ? [{ _id: change.holdId, shard, accountId: change.accountId, expiresAt: change.expiresAt }]
          : [],
      );
      await insertMissing(model.collection, opened);
      await forget(ended);
    },
    forget,
    expired: async (shard, now, limit) => {
      const found = await model
        .find({ shard, expiresAt: { $lte: now } })
        .sort({ expiresAt: 1 })
        .limit(limit)
        .lean<HoldDocument[]>();
      return found.map(({ _id, accountId }) => ({ holdId: _id, accountId }));
    },
  };
};
