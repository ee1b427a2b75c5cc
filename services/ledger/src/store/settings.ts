import { isDuplicateKey } from '@florin/data/store';
import { type Connection, Schema } from 'mongoose';

export type JournalSettings = { _id: 'journal'; shards: number };

const schema = new Schema<JournalSettings>(
  { _id: String, shards: { type: Number, required: true } },
  { collection: 'settings', versionKey: false },
);

export type Settings = {
  /** Returns the number of the journal's shards. The first call on a database stores `wanted`; later calls return the stored number. */
  journalShards: (wanted: number) => Promise<number>;
};

/** Creates the store of settings that never change once a database is in use. */
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
      if (stored === null) throw new Error('the journal settings do not exist after their insert');
      return stored.shards;
    },
  };
};
