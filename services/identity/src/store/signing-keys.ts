import { isDuplicateKey } from '@florin/data/store';
import { type Connection, Schema } from 'mongoose';

/** A key that signs access tokens. */
export type StoredSigningKey = {
  /** Counts from 1. */
  generation: number;
  /** RFC 7638 thumbprint. */
  kid: string;
  /** Public half: `x` of an Ed25519 JWK (RFC 8037). */
  x: string;
  /** Private JWK, sealed. */
  sealed: string;
  createdAt: Date;
  /** Time from which the key signs, until its successor does. */
  signsFrom: Date;
  /** When the key was revoked: from then on its tokens are invalid. */
  revokedAt?: Date | undefined;
  /** True if the revocation is not announced to other processes yet. */
  unannounced?: boolean | undefined;
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
    revokedAt: Date,
    unannounced: Boolean,
  },
  { collection: 'signing_keys', versionKey: false },
);

export type SigningKeyStore = {
  /** Oldest first. */
  list: () => Promise<StoredSigningKey[]>;
  /** Adds a key. Returns false when its generation exists, which means that another instance added it first. */
  add: (key: StoredSigningKey) => Promise<boolean>;
  /** Lets a key sign from a time that is earlier than the stored one. */
  advance: (generation: number, signsFrom: Date) => Promise<void>;
  /** Revokes a key, and marks the revocation as unannounced in the same write. */
  revoke: (kid: string, now: Date) => Promise<void>;
  markAnnounced: (kids: readonly string[]) => Promise<void>;
  /** Replaces the sealed text of a key, unless it changed. */
  reseal: (generation: number, from: string, to: string) => Promise<void>;
  /** Deletes keys together with their private halves. */
  remove: (generations: readonly number[]) => Promise<void>;
};

export const createSigningKeyStore = (connection: Connection): SigningKeyStore => {
  const model = connection.model<Document>('SigningKey', schema);
  return {
    list: async () =>
      (await model.find().sort({ _id: 1 }).lean()).map(({ _id, signsFrom, ...key }) => ({
        ...key,
        generation: _id,
        // A key without the field signs from its creation.
        signsFrom: signsFrom ?? key.createdAt,
      })),
    advance: async (generation, signsFrom) => {
      await model.updateOne({ _id: generation, signsFrom: { $gt: signsFrom } }, { $set: { signsFrom } });
    },
    revoke: async (kid, now) => {
      await model.updateOne({ kid, revokedAt: null }, { $set: { revokedAt: now, unannounced: true } });
    },
    markAnnounced: async (kids) => {
      await model.updateMany({ kid: { $in: [...kids] } }, { $unset: { unannounced: 1 } });
    },
    reseal: async (generation, from, to) => {
      await model.updateOne({ _id: generation, sealed: from }, { $set: { sealed: to } });
    },
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
