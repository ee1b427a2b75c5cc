import { isDuplicateKey } from '@florin/data/store';
import { type Connection, Schema } from 'mongoose';
import type { CardDataAccess } from '../domain/card.ts';

type AccessDocument = Omit<CardDataAccess, 'id'> & { _id: string };

const text = { type: String, required: true } as const;

const schema = new Schema<AccessDocument>(
  {
    _id: String,
    cardId: text,
    userId: text,
    last4: text,
    action: text,
    wallet: String,
    thumbprint: String,
    at: { type: Date, required: true },
  },
  { collection: 'card_data_accesses', versionKey: false },
);
schema.index({ userId: 1, _id: -1 });

/** The access log, one document per use of a card's secrets. Documents are added; only an erasure changes them. */
export const createAccessStore = (connection: Connection) => {
  const model = connection.model<AccessDocument>('CardDataAccess', schema);
  return {
    /** Adds a record; one that exists is left unchanged. */
    insert: async ({ id, ...access }: CardDataAccess): Promise<void> => {
      try {
        await model.create({ _id: id, ...access });
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
    },
    /** Removes wallets and the thumbprints of apps' keys from the user's records; what was done when to which card stays. */
    forgetSigners: async (userId: string): Promise<void> => {
      await model.updateMany({ userId, wallet: { $exists: true } }, { $unset: { wallet: 1, thumbprint: 1 } });
    },
    /** Up to `limit` records of the user's cards, or of one of them, newest first, with ids below `before`. */
    page: async (
      userId: string,
      { limit, before, cardId }: { limit: number; before: string | undefined; cardId?: string | undefined },
    ): Promise<CardDataAccess[]> => {
      const found = await model
        .find({ userId, ...(cardId === undefined ? {} : { cardId }), ...(before === undefined ? {} : { _id: { $lt: before } }) })
        .sort({ _id: -1 })
        .limit(limit)
        .lean();
      return found.map(({ _id, ...access }) => ({ id: _id, ...access }));
    },
  };
};

export type AccessStore = ReturnType<typeof createAccessStore>;
