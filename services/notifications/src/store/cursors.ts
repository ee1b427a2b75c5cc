import { isDuplicateKey, rawCollection } from '@florin/data/store';
import { type Connection, Schema } from 'mongoose';

/** `sequence` is that of the cursor, `<feed>:<sequence>`. */
type Document = { _id: string; cursor: string; sequence: number; readAt: Date };

const schema = new Schema<Document>({ _id: String }, { collection: 'cursors', versionKey: false, strict: false });

const sequenceOf = (cursor: string): number => Number(cursor.slice(cursor.lastIndexOf(':') + 1));

/** How far each feed was read, by any instance. */
export type CursorStore = {
  find: (feed: string) => Promise<string | undefined>;
  /** Moves a feed's cursor forward. One that is further already stays. */
  advance: (feed: string, cursor: string, now: Date) => Promise<void>;
  /** Puts a feed's cursor elsewhere if it still is where the caller found it: `from`. */
  reset: (feed: string, from: string | undefined, to: string, now: Date) => Promise<void>;
};

export const createCursorStore = (connection: Connection): CursorStore => {
  const collection = rawCollection(connection.model<Document>('Cursor', schema));
  const place = (cursor: string, now: Date) => ({ cursor, sequence: sequenceOf(cursor), readAt: now });
  return {
    find: async (feed) => (await collection.findOne({ _id: feed }))?.cursor,
    advance: async (feed, cursor, now) => {
      await collection.updateOne({ _id: feed, sequence: { $lt: sequenceOf(cursor) } }, { $set: place(cursor, now) });
    },
    reset: async (feed, from, to, now) => {
      if (from !== undefined) {
        await collection.updateOne({ _id: feed, cursor: from }, { $set: place(to, now) });
        return;
      }
      await collection.insertOne({ _id: feed, ...place(to, now) }).catch((error: unknown) => {
        if (!isDuplicateKey(error)) throw error;
      });
    },
  };
};
