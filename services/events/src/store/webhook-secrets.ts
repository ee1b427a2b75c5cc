import type { FieldCipher } from '@florin/data/encryption';
import { rawCollection } from '@florin/data/store';
import { type Connection, Schema } from 'mongoose';

type Document = { _id: string; endpointId: string; sealed: string };

const COLLECTION = 'webhook_secrets';

/** The fields of this store that are encrypted. */
export const WEBHOOK_SECRET_FIELDS = { [COLLECTION]: ['sealed'] } as const;

const schema = new Schema<Document>({ _id: String }, { collection: COLLECTION, versionKey: false, strict: false }).index({ endpointId: 1 });

/** Secrets of endpoints and addresses of their contacts, encrypted. A text is never changed: an endpoint refers to another one instead. */
export const createWebhookSecretStore = (connection: Connection, cipher: FieldCipher) => {
  const collection = rawCollection(connection.model<Document>('WebhookSecret', schema));
  const placeOf = (id: string) => ({ collection: COLLECTION, id, field: 'sealed' });
  return {
    insert: async (id: string, endpointId: string, text: string): Promise<void> => {
      await collection.insertOne({ _id: id, endpointId, sealed: cipher.encrypt(text, placeOf(id)) });
    },

    /** The texts that are there, by id. */
    find: async (ids: readonly string[]): Promise<Map<string, string>> => {
      if (ids.length === 0) return new Map();
      const found = await collection.find({ _id: { $in: [...ids] } }).toArray();
      return new Map(found.map(({ _id, sealed }) => [_id, cipher.decrypt(sealed, placeOf(_id))]));
    },

    /** Ids of all texts. */
    ids: async (): Promise<string[]> => (await collection.find({}, { projection: { _id: 1 } }).toArray()).map(({ _id }) => _id),

    remove: async (ids: readonly string[]): Promise<void> => {
      if (ids.length > 0) await collection.deleteMany({ _id: { $in: [...ids] } });
    },

    /** Deletes all texts of an endpoint. */
    removeOf: async (endpointId: string): Promise<void> => {
      await collection.deleteMany({ endpointId });
    },
  };
};

export type WebhookSecretStore = ReturnType<typeof createWebhookSecretStore>;
