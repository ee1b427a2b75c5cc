import type { FieldCipher } from '@florin/data/encryption';
import { isDuplicateKey, rawCollection } from '@florin/data/store';
import { type Connection, Schema } from 'mongoose';

/** A key that signs deliveries: Ed25519, as a JWK (RFC 8037). */
export type WebhookKey = { n: number; createdAt: Date; kid: string; x: string; d: string };

type Document = { _id: string; n: number; createdAt: Date; kid: string; x: string; sealed: string };

const COLLECTION = 'webhook_keys';

/** The fields of this store that are encrypted. */
export const WEBHOOK_KEY_FIELDS = { [COLLECTION]: ['sealed'] } as const;

const schema = new Schema<Document>({ _id: String }, { collection: COLLECTION, versionKey: false, strict: false });

const placeOf = (id: string) => ({ collection: COLLECTION, id, field: 'sealed' });

/** The platform's keys for webhooks. They are numbered: of two processes that make the next one, one wins. */
export const createWebhookKeyStore = (connection: Connection, cipher: FieldCipher) => {
  const collection = rawCollection(connection.model<Document>('WebhookKey', schema));
  return {
    /** In the order in which they were made. */
    list: async (): Promise<WebhookKey[]> =>
      (await collection.find({}).sort({ n: 1 }).toArray()).map(({ _id, sealed, ...key }) => ({
        ...key,
        d: cipher.decrypt(sealed, placeOf(_id)),
      })),

    /** Adds a key, unless another process has added one of this number. */
    insert: async ({ d, ...key }: WebhookKey): Promise<void> => {
      const id = String(key.n);
      await collection.insertOne({ _id: id, ...key, sealed: cipher.encrypt(d, placeOf(id)) }).catch((error: unknown) => {
        if (!isDuplicateKey(error)) throw error;
      });
    },
  };
};

export type WebhookKeyStore = ReturnType<typeof createWebhookKeyStore>;
