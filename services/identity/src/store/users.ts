import type { FieldCipher } from '@florin/data/encryption';
import { type OutboxEvent, outboxField, outboxIndex } from '@florin/data/outbox';
import { isDuplicateKey } from '@florin/data/store';
import { type Connection, type Model, Schema } from 'mongoose';
import type { IdentityEvent } from '../domain/events.ts';
import type { User } from '../domain/user.ts';
import { MAX_WALLETS } from '../domain/wallet-rules.ts';

export type UserDocument = Omit<User, 'id'> & {
  _id: string;
  /** Encrypted. */
  email: string;
  /** Highest sequence and most recent ids of the KYC provider's events. */
  kycSequence?: number;
  kycEventIds?: string[];
  /** Removed wallets whose sessions or claims are not cleaned up yet. */
  leavingWallets?: string[];
  outbox: OutboxEvent[];
};

const schema = new Schema<UserDocument>(
  {
    _id: String,
    partnerId: { type: String, required: true },
    email: { type: String, required: true },
    wallets: {
      type: [new Schema({ address: { type: String, required: true }, primary: { type: Boolean, required: true } }, { _id: false })],
      required: true,
    },
    kycStatus: { type: String, required: true },
    kycProfileId: { type: String, required: true },
    kycChangedAt: Date,
    kycRevokedAt: Date,
    kycSequence: Number,
    kycEventIds: { type: [String], default: undefined },
    accountId: { type: String, required: true },
    createdAt: { type: Date, required: true },
    leavingWallets: { type: [String], default: undefined },
    outbox: outboxField,
  },
  { collection: 'users', versionKey: false },
);
schema.index(outboxIndex);
schema.index({ kycProfileId: 1 });
schema.index({ leavingWallets: 1 }, { sparse: true });

export type UserStore = {
  /** Adds a user together with an event. Has no effect when the user exists. */
  add: (user: User, event: IdentityEvent) => Promise<void>;
  find: (id: string) => Promise<User | undefined>;
  /**
   * Adds a wallet together with an event. Returns false when the user has the wallet, when its removal is not finished, or when the
   * user has the most wallets allowed.
   */
  addWallet: (id: string, address: string, event: IdentityEvent) => Promise<boolean>;
  /** Removes a wallet that is not the primary one together with an event, and notes it as leaving. */
  removeWallet: (id: string, address: string, event: IdentityEvent) => Promise<void>;
  /** Notes a wallet as leaving that the user does not have. */
  noteLeaving: (id: string, address: string) => Promise<void>;
  /** The user's wallets whose removal is not finished. */
  leavingWallets: (id: string) => Promise<{ partnerId: string; wallets: readonly string[] } | undefined>;
  forgetLeaving: (id: string, address: string) => Promise<void>;
  /** Users with wallets whose removal is not finished. */
  withLeavingWallets: (limit: number) => Promise<string[]>;
  /** For the outbox relay and for stores of other parts of a user's document. */
  model: Model<UserDocument>;
};

const emailOf = (id: string) => ({ collection: 'users', id, field: 'email' });

export const createUserStore = (connection: Connection, cipher: FieldCipher): UserStore => {
  const model = connection.model<UserDocument>('User', schema);
  return {
    model,
    add: async ({ id, ...user }, event) => {
      try {
        await model.create({ _id: id, ...user, email: cipher.encrypt(user.email, emailOf(id)), outbox: [event] });
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
    },
    find: async (id) => {
      const found = await model.findById(id, { outbox: 0, kycSequence: 0, kycEventIds: 0, leavingWallets: 0 }).lean();
      if (found === null) return undefined;
      const { _id, outbox: _events, leavingWallets: _leaving, ...user } = found;
      return { id: _id, ...user, email: cipher.decrypt(user.email, emailOf(_id)) };
    },
    addWallet: async (id, address, event) => {
      const isFree = { 'wallets.address': { $ne: address }, leavingWallets: { $ne: address } };
      const room = { _id: id, ...isFree, [`wallets.${MAX_WALLETS - 1}`]: { $exists: false } };
      const { modifiedCount } = await model.updateOne(room, { $push: { wallets: { address, primary: false }, outbox: event } });
      return modifiedCount === 1;
    },
    removeWallet: async (id, address, event) => {
      await model.updateOne(
        { _id: id, wallets: { $elemMatch: { address, primary: false } } },
        { $pull: { wallets: { address } }, $addToSet: { leavingWallets: address }, $push: { outbox: event } },
      );
    },
    noteLeaving: async (id, address) => {
      await model.updateOne({ _id: id, 'wallets.address': { $ne: address } }, { $addToSet: { leavingWallets: address } });
    },
    leavingWallets: async (id) => {
      const found = await model.findById(id, { partnerId: 1, leavingWallets: 1 }).lean();
      return found === null ? undefined : { partnerId: found.partnerId, wallets: found.leavingWallets ?? [] };
    },
    forgetLeaving: async (id, address) => {
      // Removes the field with its last wallet: the sparse index holds only users with leaving wallets.
      await model.updateOne({ _id: id, leavingWallets: [address] }, { $unset: { leavingWallets: 1 } });
      await model.updateOne({ _id: id, leavingWallets: address }, { $pull: { leavingWallets: address } });
    },
    withLeavingWallets: async (limit) =>
      (
        await model
          .find({ 'leavingWallets.0': { $exists: true } }, { _id: 1 })
          .limit(limit)
          .lean()
      ).map(({ _id }) => _id),
  };
};
