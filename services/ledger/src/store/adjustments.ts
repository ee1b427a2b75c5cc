import { isDuplicateKey } from '@florin/data/store';
import { type Connection, Schema } from 'mongoose';
import type { Adjustment, AdjustmentStatus } from '../domain/adjustment.ts';

/** Labels are stored as pairs: their keys may contain dots. */
type AdjustmentDocument = Omit<Adjustment, 'id' | 'metadata'> & {
  _id: string;
  metadata: Omit<Adjustment['metadata'], 'labels'> & { labels: [key: string, value: string][] };
};

// Read and written past mongoose's casting: one of several shapes.
const schema = new Schema<AdjustmentDocument>({ _id: String }, { collection: 'adjustments', versionKey: false, strict: false })
  .index({ createdAt: -1, _id: -1 })
  .index({ status: 1, createdAt: -1, _id: -1 });

const toDocument = ({ id, metadata, ...rest }: Adjustment): AdjustmentDocument => ({
  _id: id,
  ...rest,
  metadata: { ...metadata, labels: Object.entries(metadata.labels) },
});

const toAdjustment = ({ _id, metadata, ...rest }: AdjustmentDocument): Adjustment => ({
  id: _id,
  ...rest,
  metadata: { ...metadata, labels: Object.fromEntries(metadata.labels) },
});

/** A place in the list: before this row. */
export type AdjustmentPlace = { createdAt: Date; id: string };

export type AdjustmentStore = {
  /** Inserts an adjustment, unless there is one of that id. @returns the stored one */
  create: (adjustment: Adjustment) => Promise<Adjustment>;
  find: (id: string) => Promise<Adjustment | undefined>;
  /**
   * Moves an adjustment on if it is in one of these states: one conditional write, so that one of several that race wins.
   * @returns it as it is afterwards; undefined when it was in another state
   */
  move: (id: string, from: readonly AdjustmentStatus[], to: AdjustmentMove) => Promise<Adjustment | undefined>;
  /** Of a shard, oldest first: pending ones that were ordered before a time, or approved ones that have not changed since. */
  due: (status: 'pending' | 'approved', query: { shard: string; before: Date; limit: number }) => Promise<Adjustment[]>;
  /** Newest first. */
  page: (query: { limit: number; before: AdjustmentPlace | undefined; status: AdjustmentStatus | undefined }) => Promise<Adjustment[]>;
};

export type AdjustmentMove = Partial<Pick<Adjustment, 'rejectedBy' | 'rejectionReason' | 'entryId' | 'failureCode'>> & {
  status: AdjustmentStatus;
  approvedBy?: string;
  updatedAt: Date;
};

/** The operators' orders and their outcomes. */
export const createAdjustmentStore = (connection: Connection): AdjustmentStore => {
  const { collection } = connection.model('Adjustment', schema);
  const find: AdjustmentStore['find'] = async (id) => {
    const found = await collection.findOne<AdjustmentDocument>({ _id: id as never });
    return found === null ? undefined : toAdjustment(found);
  };
  return {
    create: async (adjustment) => {
      try {
        await collection.insertOne(toDocument(adjustment) as never);
        return adjustment;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        const stored = await find(adjustment.id);
        if (stored === undefined) throw new Error('an adjustment that was inserted is gone');
        return stored;
      }
    },
    find,
    move: async (id, from, { approvedBy, ...fields }) => {
      const found = await collection.findOneAndUpdate(
        { _id: id as never, status: { $in: [...from] } },
        { $set: { ...fields, ...(approvedBy === undefined ? {} : { 'metadata.approvedBy': approvedBy }) } },
        { returnDocument: 'after' },
      );
      return found === null ? undefined : toAdjustment(found as unknown as AdjustmentDocument);
    },
    due: async (status, { shard, before, limit }) => {
      const since = status === 'pending' ? { createdAt: { $lte: before } } : { updatedAt: { $lte: before } };
      const found = collection.find<AdjustmentDocument>({ status, shard, ...since }).sort({ createdAt: 1, _id: 1 });
      return (await found.limit(limit).toArray()).map(toAdjustment);
    },
    page: async ({ limit, before, status }) => {
      const older = before && {
        $or: [{ createdAt: { $lt: before.createdAt } }, { createdAt: before.createdAt, _id: { $lt: before.id as never } }],
      };
      const found = await collection
        .find<AdjustmentDocument>({ ...older, ...(status === undefined ? {} : { status }) })
        .sort({ createdAt: -1, _id: -1 })
        .limit(limit)
        .toArray();
      return found.map(toAdjustment);
    },
  };
};
