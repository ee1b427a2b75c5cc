import { isDuplicateKey } from '@florin/data/store';
import { type Connection, Schema } from 'mongoose';

type JournalSettings = { _id: 'journal'; shards: number };

const schema = new Schema<JournalSettings>(
  { _id: String, shards: { type: Number, required: true } },
  { collection: 'settings', versionKey: false },
);

export type Settings = {
  /** Number of the journal's shards: `wanted` in a new database, and from then on what it was then. */
  journalShards: (wanted: number) => Promise<number>;
};

/** What is decided once in the life of a database. */
export const createSettings = (connection: Connection): Settings => {
  const model = connection.model('Settings', schema);
  return {
    journalShards: async (wanted) => {
      try {
        await model.create({ _id: 'journal', shards: wanted });
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
      const stored = await model.findById('journal').lean();
      if (stored === null) throw new Error('settings that were inserted are gone');
      return stored.shards;
    },
  };
};
