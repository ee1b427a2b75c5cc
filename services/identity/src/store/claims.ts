import type { FieldCipher } from '@florin/data/encryption';
import { createBatchedReads, isDuplicateKey, rawCollection } from '@florin/data/store';
import type { Runtime } from '@florin/rpc/runtime';
import { type Connection, Schema } from 'mongoose';

type Ids = Pick<Runtime, 'newId'>;

type Claim = {
  _id: string;
  userId: string;
  /** Distinguishes this claim from an earlier one of the same user that was released. */
  claim?: string | undefined;
  createdAt: Date;
};

const schemaOf = (collection: string) =>
  new Schema<Claim>(
    { _id: String, userId: { type: String, required: true }, claim: String, createdAt: { type: Date, required: true } },
    { collection, versionKey: false },
  ).index({ userId: 1 });

/** Values that one user at most may hold per platform or partner. The value is the `_id` of the document, so the engine decides races. */
export type ClaimStore = {
  /** Releases every key of a user. */
  releaseAllOf: (userId: string) => Promise<void>;
  /** Claims `key` for a user. Returns true when the user holds it, whether by this call or an earlier one. */
  claim: (key: string, userId: string, now: Date) => Promise<boolean>;
  /** The user that holds the key. */
  ownerOf: (key: string) => Promise<string | undefined>;
  /** Id of the claim by which this user holds the key; undefined when it does not. It differs from the ids of earlier claims. */
  claimOf: (key: string, userId: string) => Promise<string | undefined>;
  /** Releases the key if this user holds it. */
  release: (key: string, userId: string) => Promise<void>;
  /**
   * Releases the key if this user holds it and `mayRelease` returns true. A claim that was released and made again while `mayRelease`
   * ran stays, so several processes may call this at the same time.
   */
  releaseIf: (key: string, userId: string, mayRelease: () => Promise<boolean>) => Promise<void>;
};

/** @param idOf `_id` of the claim of a key */
const createClaimStore = (
  connection: Connection,
  { newId }: Ids,
  name: string,
  collection: string,
  idOf: (key: string) => string = (key) => key,
): ClaimStore => {
  const model = connection.model<Claim>(name, schemaOf(collection));
  const read = createBatchedReads(rawCollection(model), { provesAbsence: true });
  const ownerOf: ClaimStore['ownerOf'] = async (key) => (await read(idOf(key)))?.userId;
  return {
    releaseAllOf: async (userId) => {
      await model.deleteMany({ userId });
    },
    ownerOf,
    claim: async (key, userId, now) => {
      try {
        await model.create({ _id: idOf(key), userId, claim: newId(), createdAt: now });
        return true;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        return (await ownerOf(key)) === userId;
      }
    },
    claimOf: async (key, userId) => {
      const found = await model.findOne({ _id: key, userId }, { claim: 1 }).lean();
      return found === null ? undefined : (found.claim ?? '');
    },
    release: async (key, userId) => {
      await model.deleteOne({ _id: idOf(key), userId });
    },
    releaseIf: async (key, userId, mayRelease) => {
      const seen = await model.findById(idOf(key)).lean();
      if (seen === null || seen.userId !== userId || !(await mayRelease())) return;
      await model.deleteOne({ _id: seen._id, userId, claim: seen.claim ?? null });
    },
  };
};

/** Keys are lower-case addresses: a wallet belongs to at most one user across all partners. */
export const createWalletClaimStore = (connection: Connection, ids: Ids): ClaimStore =>
  createClaimStore(connection, ids, 'WalletClaim', 'wallet_claims');

/** Keys come from `emailClaimKey`; the `_id` of a claim is the keyed hash of its key. */
export const createEmailClaimStore = (connection: Connection, ids: Ids, cipher: Pick<FieldCipher, 'hash'>): ClaimStore =>
  createClaimStore(connection, ids, 'EmailClaim', 'email_claims', (key) => cipher.hash('email-claim', key));

/** Key of an e-mail address: it belongs to at most one user per partner. */
export const emailClaimKey = ({ partnerId, emailKey }: { partnerId: string; emailKey: string }): string => `${partnerId}:${emailKey}`;
