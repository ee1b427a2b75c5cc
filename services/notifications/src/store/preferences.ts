import { rawCollection } from '@florin/data/store';
import { type Connection, Schema } from 'mongoose';
import { type Preferences, withDefaults } from '../domain/preferences.ts';

type Document = Preferences & { _id: string; changedAt: Date };

const schema = new Schema<Document>({ _id: String }, { collection: 'preferences', versionKey: false, strict: false });

/** Users' choices, one document each. */
export type PreferenceStore = {
  /** @returns undefined if the user has chosen nothing */
  find: (userId: string) => Promise<Preferences | undefined>;
  /** The choices of those of the users who have made any. */
  ofUsers: (userIds: readonly string[]) => Promise<ReadonlyMap<string, Preferences>>;
  replace: (userId: string, preferences: Preferences, now: Date) => Promise<void>;
  remove: (userId: string) => Promise<void>;
};

export const createPreferenceStore = (connection: Connection): PreferenceStore => {
  const collection = rawCollection(connection.model<Document>('Preferences', schema));
  return {
    find: async (userId) => {
      const found = await collection.findOne({ _id: userId });
      return found === null ? undefined : withDefaults(found);
    },
    ofUsers: async (userIds) => {
      const found = await collection.find({ _id: { $in: [...userIds] } }).toArray();
      return new Map(found.map((document) => [document._id, withDefaults(document)]));
    },
    replace: async (userId, preferences, now) => {
      await collection.replaceOne({ _id: userId }, { ...preferences, changedAt: now } as Document, { upsert: true });
    },
    remove: async (userId) => {
      await collection.deleteOne({ _id: userId });
    },
  };
};
