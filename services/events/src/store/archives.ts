import { isDuplicateKey, LATEST } from '@florin/data/store';
import { type Connection, Schema } from 'mongoose';

type Document = { _id: string; last: number };

const schema = new Schema<Document>(
  { _id: String, last: { type: Number, required: true } },
  { collection: 'feed_archives', versionKey: false },
);

/** How far each feed is in archive files. Its blocks up to there may be deleted at any time. */
export const createArchiveStore = (connection: Connection) => {
  const model = connection.model<Document>('FeedArchive', schema);
  return {
    /** Sequence of the last archived event of a feed; 0 without one. A reader that misses a deleted block finds it here. */
    floor: async (feed: string): Promise<number> => (await model.findById(feed, undefined, LATEST).lean())?.last ?? 0,

    /** @returns false if it was not `from` any more */
    move: async (feed: string, from: number, to: number): Promise<boolean> => {
      try {
        const found = await model.findOneAndUpdate({ _id: feed, last: from }, { $set: { last: to } }, { upsert: from === 0 }).lean();
        return from === 0 || found !== null;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        return false;
      }
    },
  };
};

export type ArchiveStore = ReturnType<typeof createArchiveStore>;
