import { isDuplicateKey } from '@florin/data/store';
import { type Connection, Schema } from 'mongoose';
import type { Approvable } from '../domain/wallet-approval.ts';

/**
 * Most approvals that one session has issued and that can be used at once; one more removes the session's oldest. A stolen session thus removes none that the user
 * gets after signing in again.
 */
const MAX_OF_SESSION = 20;

/** Most approvals of one user. Bounds what a user can store: a user has that many only by as many sign-ins. */
const MAX_OF_USER = 200;

/**
 * Typed data that was issued. `subject` is the EIP-55 address of a wallet, or the id of a card; `session` the id of the session that asked. Its text is not stored: the change that is
 * about to be made decides what must have been signed.
 */
export type IssuedApproval = { nonce: string; change: Approvable['change']; subject: string; session: string; expiresAt: Date };

type Document = {
  /** The user's id. */
  _id: string;
  /** Oldest first. `use` names the use of one that was used. */
  open: (IssuedApproval & { use?: string })[];
  /** When the newest one expires. */
  expiresAt: Date;
};

const schema = new Schema<Document>(
  {
    _id: String,
    open: [new Schema({ nonce: String, change: String, subject: String, session: String, expiresAt: Date, use: String }, { _id: false })],
    expiresAt: { type: Date, required: true },
  },
  { collection: 'wallet_approvals', versionKey: false },
);
schema.index({ expiresAt: 1 });

/** Typed data that approves changes of wallets and cards: the newest twenty of each session, each used once. */
export type WalletApprovalStore = {
  issue: (userId: string, issued: IssuedApproval) => Promise<void>;
  /** Those of a session oldest first; the session that asked last is the last. */
  list: (userId: string) => Promise<IssuedApproval[]>;
  /** Forgets a nonce whose use is complete, so that no repeat succeeds. */
  forget: (userId: string, nonce: string) => Promise<void>;
  /**
   * One write decides which of several uses of a nonce wins.
   * @param use names the use: a repeat with the same name is `consumed` again until the typed data expires
   */
  consume: (userId: string, nonce: string, now: Date, use: string) => Promise<'consumed' | 'used' | 'expired'>;
};

export const createWalletApprovalStore = (connection: Connection): WalletApprovalStore => {
  const model = connection.model<Document>('WalletApproval', schema);
  const add = (userId: string, issued: IssuedApproval) => {
    const issuedBefore = { $ifNull: ['$open', []] };
    const own = { $filter: { input: issuedBefore, cond: { $eq: ['$$this.session', { $literal: issued.session }] } } };
    const others = { $filter: { input: issuedBefore, cond: { $ne: ['$$this.session', { $literal: issued.session }] } } };
    const kept = { $concatArrays: [{ $slice: [others, MAX_OF_SESSION - MAX_OF_USER] }, { $slice: [own, 1 - MAX_OF_SESSION] }] };
    const open = { $concatArrays: [kept, [{ $literal: issued }]] };
    return model.updateOne({ _id: userId }, [{ $set: { open, expiresAt: { $max: ['$expiresAt', issued.expiresAt] } } }], {
      upsert: true,
      updatePipeline: true,
    });
  };
  return {
    issue: async (userId, issued) => {
      try {
        await add(userId, issued);
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        // Another call has created the user's document at the same time.
        await add(userId, issued);
      }
    },
    list: async (userId) => (await model.findById(userId).lean())?.open.map(({ use, ...issued }) => issued) ?? [],
    forget: async (userId, nonce) => {
      await model.updateOne({ _id: userId }, { $pull: { open: { nonce } } });
    },
    consume: async (userId, nonce, now, use) => {
      const usable = { nonce, expiresAt: { $gt: now }, use: { $in: [null, use] } };
      const { matchedCount } = await model.updateOne({ _id: userId, open: { $elemMatch: usable } }, { $set: { 'open.$.use': use } });
      if (matchedCount === 1) return 'consumed';
      const known = (await model.findById(userId).lean())?.open.find((one) => one.nonce === nonce);
      return known === undefined || (known.use !== undefined && known.use !== use) ? 'used' : 'expired';
    },
  };
};
