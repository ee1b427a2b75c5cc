import { type Connection, Schema } from 'mongoose';

type Document = { _id: string; position: string };

const schema = new Schema<Document>(
  { _id: String, position: { type: String, required: true } },
  { collection: 'journal_cursors', versionKey: false },
);

/** How far each shard of the ledger's journal has been read. What is before a position is in the feeds. */
export const createJournalCursorStore = (connection: Connection) => {
  const model = connection.model<Document>('JournalCursor', schema);
  return {
    /** Position of a shard; empty at the beginning. */
    find: async (shard: string): Promise<string> => (await model.findById(shard).lean())?.position ?? '',
    /** Another instance may set it back a little: what is read twice is appended once. */
    save: async (shard: string, position: string): Promise<void> => {
      await model.updateOne({ _id: shard }, { $set: { position } }, { upsert: true });
    },
  };
};

export type JournalCursorStore = ReturnType<typeof createJournalCursorStore>;
