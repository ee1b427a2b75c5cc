import { isDuplicateKey } from '@florin/kit/store';
import { type Connection, Schema } from 'mongoose';

type Claim = { _id: string; userId: string; createdAt: Date };

const schemaOf = (collection: string) =>
  new Schema<Claim>(
    { _id: String, userId: { type: String, required: true }, createdAt: { type: Date, required: true } },
    { collection, versionKey: false },
  );

/** Things of which there may be one per platform (or partner): the thing is the document's `_id`, so the engine decides races. */
export type ClaimStore = {
  /** Claims `key` for a user; true when it is theirs now, whether by this call or an earlier one. */
  claim: (key: string, userId: string, now: Date) => Promise<boolean>;
  /** Who holds it. */
  ownerOf: (key: string) => Promise<string | undefined>;
  /** Gives it back, when it is this user's. */
  release: (key: string, userId: string) => Promise<void>;
};

const createClaimStore = (connection: Connection, name: string, collection: string): ClaimStore => {
  const model = connection.model<Claim>(name, schemaOf(collection));
  const ownerOf: ClaimStore['ownerOf'] = async (key) => (await model.findById(key).lean())?.userId;
  return {
    ownerOf,
    claim: async (key, userId, now) => {
      try {
        await model.create({ _id: key, userId, createdAt: now });
        return true;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        return (await ownerOf(key)) === userId;
      }
    },
    release: async (key, userId) => {
      await model.deleteOne({ _id: key, userId });
    },
  };
};

/** Keys are addresses in lower case: a wallet holds at most one user across all partners. */
export const createWalletClaims = (connection: Connection): ClaimStore => createClaimStore(connection, 'WalletClaim', 'wallet_claims');

/** Keys are made by `emailClaimKey`. */
export const createEmailClaims = (connection: Connection): ClaimStore => createClaimStore(connection, 'EmailClaim', 'email_claims');

/** An e-mail address is one user's per partner. */
export const emailClaimKey = ({ partnerId, emailKey }: { partnerId: string; emailKey: string }): string => `${partnerId}:${emailKey}`;
