import { randomUUID } from 'node:crypto';
import { isDuplicateKey } from '@florin/data/store';
import { type Connection, Schema } from 'mongoose';

type Claim = {
  _id: string;
  userId: string;
  /** Tells this claim from one of the same user that was given back. */
  claim?: string | undefined;
  createdAt: Date;
};

const schemaOf = (collection: string) =>
  new Schema<Claim>(
    { _id: String, userId: { type: String, required: true }, claim: String, createdAt: { type: Date, required: true } },
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
  /**
   * Gives it back when it is this user's and `mayGo` says so; a claim that was given back and made anew while that was asked stays.
   * For what several processes may do at once.
   */
  releaseIf: (key: string, userId: string, mayGo: () => Promise<boolean>) => Promise<void>;
};

const createClaimStore = (connection: Connection, name: string, collection: string): ClaimStore => {
  const model = connection.model<Claim>(name, schemaOf(collection));
  const ownerOf: ClaimStore['ownerOf'] = async (key) => (await model.findById(key).lean())?.userId;
  return {
    ownerOf,
    claim: async (key, userId, now) => {
      try {
        await model.create({ _id: key, userId, claim: randomUUID(), createdAt: now });
        return true;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        return (await ownerOf(key)) === userId;
      }
    },
    release: async (key, userId) => {
      await model.deleteOne({ _id: key, userId });
    },
    releaseIf: async (key, userId, mayGo) => {
      const seen = await model.findById(key).lean();
      if (seen === null || seen.userId !== userId || !(await mayGo())) return;
      await model.deleteOne({ _id: key, userId, claim: seen.claim ?? null });
    },
  };
};

/** Keys are addresses in lower case: a wallet holds at most one user across all partners. */
export const createWalletClaims = (connection: Connection): ClaimStore => createClaimStore(connection, 'WalletClaim', 'wallet_claims');

/** Keys are made by `emailClaimKey`. */
export const createEmailClaims = (connection: Connection): ClaimStore => createClaimStore(connection, 'EmailClaim', 'email_claims');

/** An e-mail address is one user's per partner. */
export const emailClaimKey = ({ partnerId, emailKey }: { partnerId: string; emailKey: string }): string => `${partnerId}:${emailKey}`;
