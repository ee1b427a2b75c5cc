import { type Connection, Schema } from 'mongoose';
import type { Mark, Trail } from '../domain/trail.ts';

/** `position` is that of the newest mark, for the releases that know no marks; theirs have none. */
type Document = { _id: string; position: string; trail?: Mark[] };

const schema = new Schema<Document>(
  {
    _id: String,
    position: { type: String, required: true },
    trail: { type: [new Schema<Mark>({ count: Number, position: String, blockHash: String }, { _id: false })], default: undefined },
  },
  { collection: 'journal_cursors', versionKey: false },
);

/** Positions up to which each shard of the ledger's journal has been read: the events of all entries before it are in the feeds. */
export const createJournalCursorStore = (connection: Connection) => {
  const model = connection.model<Document>('JournalCursor', schema);
  return {
    /** The trail of a shard; empty at the beginning. */
    find: async (shard: string): Promise<Trail> => {
      const found = await model.findById(shard).lean();
      if (found === null) return [];
      const { position, trail } = found;
      // A former release has gone on meanwhile.
      return trail?.[0]?.position === position ? trail : [{ count: 1, position, blockHash: '' }];
    },
    /** Another instance may set it back a little: what is read twice is appended once. */
    save: async (shard: string, trail: Trail): Promise<void> => {
      await model.updateOne({ _id: shard }, { $set: { position: trail[0]?.position ?? '', trail: [...trail] } }, { upsert: true });
    },
  };
};

export type JournalCursorStore = ReturnType<typeof createJournalCursorStore>;
