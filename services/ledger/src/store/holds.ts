import { type Connection, Schema } from 'mongoose';
import type { HoldChange } from '../domain/projection.ts';
import { insertMissing } from './insert-missing.ts';

/** `_id` of what is unique within a shard only. */
const shardKey = (shard: string, id: string): string => `${shard}:${id}`;

/** The id in a key: what stands behind the shard. */
const idOfKey = (key: string): string => key.slice(key.indexOf(':') + 1);

/** `_id` is `<shard>:<hold id>`: ids are unique within a shard. */
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
  forget: (shard: string, holdIds: readonly string[]) => Promise<void>;
  /** Approximate number of open holds in all shards. */
  count: () => Promise<number>;
};

/** Open holds by their expiry: a projection of the journal, for the sweep that ends them. */
export const createHolds = (connection: Connection): Holds => {
  const model = connection.model<HoldDocument>('OpenHold', schema);
  const forget: Holds['forget'] = async (shard, holdIds) => {
    if (holdIds.length > 0) await model.deleteMany({ _id: { $in: holdIds.map((id) => shardKey(shard, id)) } });
  };
  return {
    save: async (shard, changes) => {
      const ended = new Set(changes.flatMap((change) => (change.kind === 'ended' ? [change.holdId] : [])));
      const opened = changes.flatMap((change) =>
        change.kind === 'opened' && !ended.has(change.holdId)
          ? [{ _id: shardKey(shard, change.holdId), shard, accountId: change.accountId, expiresAt: change.expiresAt }]
          : [],
      );
      await insertMissing(model, opened);
      // Only ever later: a projector that lags behind, or is repeated, takes nothing back.
      const extended = changes.flatMap((change) =>
        change.kind === 'extended' && !ended.has(change.holdId)
          ? [{ updateOne: { filter: { _id: shardKey(shard, change.holdId) }, update: { $max: { expiresAt: change.expiresAt } } } }]
          : [],
      );
      if (extended.length > 0) await model.bulkWrite(extended, { ordered: false });
      await forget(shard, [...ended]);
    },
    forget,
    count: () => model.estimatedDocumentCount(),
    expired: async (shard, now, limit) => {
      const found = await model
        .find({ shard, expiresAt: { $lte: now } })
        .sort({ expiresAt: 1 })
        .limit(limit)
        .lean<HoldDocument[]>();
      return found.map(({ _id, accountId }) => ({ holdId: idOfKey(_id), accountId }));
    },
  };
};
