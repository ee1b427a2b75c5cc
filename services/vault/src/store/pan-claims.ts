import { isDuplicateKey } from '@florin/data/store';
import { type Connection, Schema } from 'mongoose';

/** Claim of a number; `_id` is its keyed hash, so that a number belongs to one card. It stays when the card ends: numbers are not reused. */
type PanClaim = {
  _id: string;
  cardId: string;
  /** Set until the card is stored. */
  pendingSince?: Date;
};

const schema = new Schema<PanClaim>(
  { _id: String, cardId: { type: String, required: true }, pendingSince: Date },
  { collection: 'pan_claims', versionKey: false },
);
// Finds the claims of cards that were not stored.
schema.index({ pendingSince: 1 }, { sparse: true });

export const createPanClaimStore = (connection: Connection) => {
  const model = connection.model<PanClaim>('PanClaim', schema);
  return {
    /** @returns false if the number is taken */
    claim: async (panHash: string, cardId: string, now: Date): Promise<boolean> => {
      try {
        await model.create({ _id: panHash, cardId, pendingSince: now });
        return true;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        return false;
      }
    },
    confirm: async (panHash: string): Promise<void> => {
      await model.updateOne({ _id: panHash }, { $unset: { pendingSince: '' } });
    },
    /** Frees a number whose card was not stored with it. */
    release: async (panHash: string): Promise<void> => {
      await model.deleteOne({ _id: panHash, pendingSince: { $exists: true } });
    },
    findCard: async (panHash: string): Promise<string | undefined> => (await model.findById(panHash).lean())?.cardId,
    findPending: async (before: Date, limit: number): Promise<{ panHash: string; cardId: string }[]> => {
      const found = await model
        .find({ pendingSince: { $lt: before } })
        .limit(limit)
        .lean();
      return found.map(({ _id, cardId }) => ({ panHash: _id, cardId }));
    },
  };
};

export type PanClaimStore = ReturnType<typeof createPanClaimStore>;
