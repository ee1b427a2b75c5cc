import { isDuplicateKey } from '@florin/kit/store';
import { type Connection, Schema } from 'mongoose';

/** A key that signs access tokens. */
export type StoredSigningKey = {
  /** Generations count from 1; the newest signs. */
  generation: number;
  /** RFC 7638 thumbprint. */
  kid: string;
  /** Public half: `x` of an Ed25519 JWK (RFC 8037). */
  x: string;
  /** Private JWK, sealed. */
  sealed: string;
  createdAt: Date;
};

type Document = Omit<StoredSigningKey, 'generation'> & { _id: number };

const schema = new Schema<Document>(
  {
    _id: Number,
    kid: { type: String, required: true },
    x: { type: String, required: true },
    sealed: { type: String, required: true },
    createdAt: { type: Date, required: true },
  },
  { collection: 'signing_keys', versionKey: false },
);

export type SigningKeyStore = {
  /** Oldest first. */
  list: () => Promise<StoredSigningKey[]>;
  /** Adds a generation, unless somebody else was first: then theirs stands and false is answered. */
  add: (key: StoredSigningKey) => Promise<boolean>;
};

export const createSigningKeyStore = (connection: Connection): SigningKeyStore => {
  const model = connection.model('SigningKey', schema);
  return {
    list: async () => (await model.find().sort({ _id: 1 }).lean()).map(({ _id, ...key }) => ({ generation: _id, ...key })),
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
