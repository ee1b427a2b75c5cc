import { isDuplicateKey, rawCollection } from '@florin/data/store';
import { type Connection, type mongo, Schema } from 'mongoose';
import type { Part } from '../domain/item.ts';

type StoredPart = Omit<Part, 'item' | 'currency' | 'amount'> & {
  amount: string;
  until: Date;
  shard?: string;
  block?: number;
  chainId?: number;
  day?: string;
};

type Document = {
  /** The item and its currency. */
  _id: string;
  item: string;
  currency: string;
  parts: StoredPart[];
  /** The last time that a part is of: of a record, its day. */
  until: Date;
  /** When the newest part was booked, while the parts do not add up to zero. */
  openSince?: Date;
  /** `openSince` of which the card service was told. */
  toldSince?: Date;
};

const schema = new Schema<Document>({ _id: String }, { collection: 'items', versionKey: false, strict: false })
  .index({ 'parts.key': 1 })
  .index({ openSince: 1 }, { sparse: true })
  .index({ toldSince: 1 }, { sparse: true })
  .index({ until: 1 });

/** An item with its parts. */
export type StoredItem = { id: string; currency: string; parts: Part[]; openSince?: Date; toldSince?: Date };

const toItem = ({ item: id, currency, parts, openSince, toldSince }: Document): StoredItem => ({
  ...{ id, currency },
  parts: parts.map(({ amount, until: _until, ...part }) => ({ ...part, item: id, currency, amount: BigInt(amount) }) as Part),
  ...(openSince === undefined ? {} : { openSince }),
  ...(toldSince === undefined ? {} : { toldSince }),
});

/** Stored items: each has what the ledger and `receivable` have of the same thing. They follow from both journals, and can be made anew. */
export type ItemStore = {
  /** Stores parts, each in its item only. Safe to repeat. */
  put: (parts: readonly Part[]) => Promise<void>;
  /** Removes the parts of a shard of the ledger that were booked after a time. */
  forget: (shard: string, after: Date) => Promise<void>;
  /** Items that do not add up to zero, and those with a part of a time. */
  openOrSince: (time: Date) => AsyncIterable<StoredItem>;
  /** Items that have been open since a time between two, of which the card service was not told, at most `limit`. */
  untold: (after: Date, before: Date, limit: number) => Promise<StoredItem[]>;
  /** Items of which it was told, and that are not open any more, or since another time, at most `limit`. */
  outdated: (limit: number) => Promise<StoredItem[]>;
  /** Records that the card service was told that items are open since their time, or are not any more. */
  told: (items: readonly StoredItem[], state: 'open' | 'closed') => Promise<void>;
};

const partsThat = (cond: object) => ({ $filter: { input: { $ifNull: ['$parts', []] }, cond } });
const withoutPart = (key: string) => partsThat({ $ne: ['$$this.key', { $literal: key }] });

/** Sets the fields that follow from the parts. */
const DERIVED = [
  { $set: { left: { $sum: { $map: { input: '$parts', in: { $toLong: '$$this.amount' } } } } } },
  { $set: { until: { $max: '$parts.until' }, openSince: { $cond: [{ $eq: ['$left', 0] }, '$$REMOVE', { $max: '$parts.at' }] } } },
  { $unset: 'left' },
];

export const createItemStore = (connection: Connection): ItemStore => {
  const collection = rawCollection(connection.model<Document>('Item', schema));
  const idOf = (item: string, currency: string): string => `${item} ${currency}`;

  const write = async (writes: mongo.AnyBulkWriteOperation<Document>[]): Promise<void> => {
    for (let left = 10; ; left -= 1) {
      try {
        await collection.bulkWrite(writes, { ordered: true });
        return;
      } catch (error) {
        // Another instance has begun the same item: the writes are repeated.
        if (!isDuplicateKey(error) || left === 0) throw error;
      }
    }
  };

  return {
    put: async (parts) => {
      if (parts.length === 0) return;
      const writes = parts.flatMap(({ item, currency, amount, ...part }): mongo.AnyBulkWriteOperation<Document>[] => {
        const _id = idOf(item, currency);
        const until = 'day' in part ? new Date(`${part.day}T00:00:00Z`) : part.at;
        const added = { $concatArrays: [withoutPart(part.key), [{ $literal: { ...part, amount: String(amount), until } }]] };
        const elsewhere = { 'parts.key': part.key, _id: { $ne: _id } };
        return [
          { updateMany: { filter: elsewhere, update: [{ $set: { parts: withoutPart(part.key) } }, ...DERIVED] } },
          {
            updateOne: {
              filter: { _id },
              update: [{ $set: { item: { $literal: item }, currency, parts: added } }, ...DERIVED],
              upsert: true,
            },
          },
        ];
      });
      await write(writes);
    },
    forget: async (shard, after) => {
      const parts = partsThat({ $or: [{ $ne: ['$$this.shard', shard] }, { $lte: ['$$this.at', after] }] });
      await collection.updateMany({ parts: { $elemMatch: { shard, at: { $gt: after } } } }, [{ $set: { parts } }, ...DERIVED]);
    },
    openOrSince: async function* (time) {
      const filter = { $or: [{ openSince: { $exists: true } }, { until: { $gte: time } }] };
      for await (const found of collection.find(filter)) yield toItem(found);
    },
    untold: async (after, before, limit) => {
      const filter = { openSince: { $gte: after, $lt: before }, $expr: { $ne: ['$openSince', '$toldSince'] } };
      return (await collection.find(filter).sort({ openSince: 1 }).limit(limit).toArray()).map(toItem);
    },
    outdated: async (limit) => {
      const filter = { toldSince: { $exists: true }, $expr: { $ne: ['$openSince', '$toldSince'] } };
      return (await collection.find(filter).limit(limit).toArray()).map(toItem);
    },
    told: async (items, state) => {
      if (items.length === 0) return;
      const writes = items.map(({ id, currency, openSince }) => {
        const update =
          state === 'open' && openSince !== undefined ? { $set: { toldSince: openSince } } : { $unset: { toldSince: '' as const } };
        return { updateOne: { filter: { _id: idOf(id, currency) }, update } };
      });
      await collection.bulkWrite(writes, { ordered: false });
    },
  };
};
