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
    ip: String,
  },
  { collection: 'term_acceptances', versionKey: false },
);
schema.index({ userId: 1 });

/** One document per user, document and version: nothing is ever overwritten, so that it can be proven later. */
export type TermAcceptanceStore = {
  /** Records an acceptance; of a repeated one the first stands. */
  add: (acceptance: Acceptance) => Promise<void>;
  listOf: (userId: string) => Promise<Acceptance[]>;
};

export const createTermAcceptanceStore = (connection: Connection): TermAcceptanceStore => {
  const model = connection.model<Document>('TermAcceptance', schema);
  return {
    add: async (acceptance) => {
      const { userId, type, version } = acceptance;
      try {
        await model.create({ ...acceptance, _id: `${userId}:${type}:${version}` });
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
    },
    listOf: (userId) => model.find({ userId }).lean(),
  };
};
