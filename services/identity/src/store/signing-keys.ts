import { isDuplicateKey } from '@florin/data/store';
import { type Connection, Schema } from 'mongoose';

/** A key that signs access tokens. */
export type StoredSigningKey = {
  /** Generations count from 1. */
  generation: number;
  /** RFC 7638 thumbprint. */
  kid: string;
  /** Public half: `x` of an Ed25519 JWK (RFC 8037). */
  x: string;
  /** Private JWK, sealed. */
  sealed: string;
  createdAt: Date;
  /** From then on it signs, until a younger one does. */
  signsFrom: Date;
};

type Document = Omit<StoredSigningKey, 'generation' | 'signsFrom'> & { _id: number; signsFrom?: Date | undefined };

const schema = new Schema<Document>(
  {
    _id: Number,
    kid: { type: String, required: true },
    x: { type: String, required: true },
    sealed: { type: String, required: true },
    createdAt: { type: Date, required: true },
    signsFrom: Date,
  },
  { collection: 'signing_keys', versionKey: false },
);

export type SigningKeyStore = {
  /** Oldest first. */
  list: () => Promise<StoredSigningKey[]>;
  /** Adds a generation, unless somebody else was first: then theirs stands and false is answered. */
  add: (key: StoredSigningKey) => Promise<boolean>;
  /** Deletes generations with their private halves. */
  remove: (generations: readonly number[]) => Promise<void>;
};

export const createSigningKeyStore = (connection: Connection): SigningKeyStore => {
  const model = connection.model<Document>('SigningKey', schema);
  return {
    list: async () =>
      (await model.find().sort({ _id: 1 }).lean()).map(({ _id, signsFrom, ...key }) => ({
        ...key,
        generation: _id,
        // Keys were once made to sign at once.
        signsFrom: signsFrom ?? key.createdAt,
      })),
    remove: async (generations) => {
      await model.deleteMany({ _id: { $in: [...generations] } });
    },
    add: async ({ generation, ...key }) => {
      try {
        await model.create({ _id: generation, ...key });
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
  };
};
