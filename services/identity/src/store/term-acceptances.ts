import type { FieldCipher } from '@florin/data/encryption';
import { isDuplicateKey } from '@florin/data/store';
import { type Connection, Schema } from 'mongoose';
import type { Acceptance } from '../domain/terms.ts';

type Document = Acceptance & { _id: string };

const schema = new Schema<Document>(
  {
    _id: String,
    userId: { type: String, required: true },
    type: { type: String, required: true },
    version: { type: String, required: true },
    acceptedAt: { type: Date, required: true },
    // Encrypted.
    ip: String,
  },
  { collection: 'term_acceptances', versionKey: false },
);
schema.index({ userId: 1 });

/** One document per user, document type and version. Nothing is overwritten, so that acceptances can be proven later. */
export type TermAcceptanceStore = {
  /** Records an acceptance. Of repeated acceptances of a version the first is kept. */
  add: (acceptance: Acceptance) => Promise<void>;
  listOf: (userId: string) => Promise<Acceptance[]>;
};

const ipOf = (id: string) => ({ collection: 'term_acceptances', id, field: 'ip' });

export const createTermAcceptanceStore = (connection: Connection, cipher: FieldCipher): TermAcceptanceStore => {
  const model = connection.model<Document>('TermAcceptance', schema);
  return {
    add: async ({ ip, ...acceptance }) => {
      const { userId, type, version } = acceptance;
      const id = `${userId}:${type}:${version}`;
      try {
        await model.create({ ...acceptance, _id: id, ...(ip === undefined ? {} : { ip: cipher.encrypt(ip, ipOf(id)) }) });
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
    },
    listOf: async (userId) =>
      (await model.find({ userId }).lean()).map(({ _id, ip, ...acceptance }) => ({
        ...acceptance,
        ...(ip === undefined ? {} : { ip: cipher.decrypt(ip, ipOf(_id)) }),
      })),
  };
};
