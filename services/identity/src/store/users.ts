import type { FieldCipher } from '@florin/data/encryption';
import { type OutboxEvent, outboxField, outboxIndex } from '@florin/data/outbox';
import { createBatchedReads, isDuplicateKey, rawCollection } from '@florin/data/store';
import { firstIdAt } from '@florin/rpc/runtime';
import { type Connection, type Model, Schema } from 'mongoose';
import type { IdentityEvent } from '../domain/events.ts';
import type { Notice } from '../domain/notices.ts';
import type { User, Wallet } from '../domain/user.ts';
import { MAX_WALLETS } from '../domain/wallet-rules.ts';

export type UserDocument = Omit<User, 'id' | 'email'> & {
  _id: string;
  /** Encrypted; absent once erased. */
  email?: string;
  erasedAt?: Date;
  /** Highest sequence and most recent ids of the KYC provider's events. */
  kycSequence?: number;
  kycEventIds?: string[];
  /** Removed wallets whose sessions or claims are not cleaned up yet. */
  leavingWallets?: string[];
  /** Mails that are not sent yet. */
  notices?: Notice[];
  /** When the notices are sent, or tried again. */
  noticesDueAt?: Date;
  outbox: OutboxEvent[];
  relayed?: number;
};

const schema = new Schema<UserDocument>(
  {
    _id: String,
    partnerId: { type: String, required: true },
    email: String,
    isErasing: Boolean,
    erasedAt: Date,
    wallets: {
      type: [
        new Schema(
          { address: { type: String, required: true }, primary: { type: Boolean, required: true }, approvesFrom: Date },
          { _id: false },
        ),
      ],
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
    notices: {
      type: [new Schema({ id: String, kind: String, address: String, last4: String, at: Date }, { _id: false })],
      default: undefined,
    },
    noticesDueAt: Date,
    outbox: outboxField,
  },
  { collection: 'users', versionKey: false },
);
schema.index(outboxIndex);
schema.index({ kycProfileId: 1 });
schema.index({ kycStatus: 1, _id: 1 }, { partialFilterExpression: { kycStatus: 'in_review' } });
schema.index({ leavingWallets: 1 }, { sparse: true });
schema.index({ noticesDueAt: 1 }, { sparse: true });

/** The events and the mail of a change of wallets, which are stored by the write that makes it, of one that another service is about to make, or of a sign-in. */
export type Told = { events: readonly IdentityEvent[]; notice: Notice };

type Update = { $push?: object; $set?: object; $pull?: object; $addToSet?: object };

const withTold = ({ events, notice }: Told, update: Update): Update => ({
  ...update,
  $push: { ...update.$push, outbox: { $each: [...events] }, notices: notice },
  $set: { ...update.$set, noticesDueAt: notice.at },
});

export type UserStore = {
  /** Ends signing in as the user and adding wallets. */
  beginErasure: (id: string) => Promise<void>;
  /** A user whose erasure has begun and is not completed. */
  findErasing: (id: string) => Promise<(Pick<User, 'wallets' | 'partnerId'> & { readEmail: () => string | undefined }) | undefined>;
  /** Erases the personal data of a user whose erasure has begun, with an event. docs/privacy.md lists the data that stays. */
  erase: (id: string, now: Date, event: IdentityEvent) => Promise<void>;
  /** Adds a user together with an event. Has no effect when the user exists. */
  add: (user: User, event: IdentityEvent) => Promise<void>;
  /** How many users there are, erased ones included: an estimate. */
  count: () => Promise<number>;
  /** How many users have registered since a time, and before another if there is one, counted up to a million. */
  countBetween: (from: Date, to?: Date) => Promise<number>;
  /** Id of the user's partner, also of a user who was erased. */
  partnerOf: (id: string) => Promise<string | undefined>;
  /** Which of some ids are of users who were erased. */
  erasedOf: (ids: readonly string[]) => Promise<string[]>;
  /** Undefined for an erased user. */
  find: (id: string) => Promise<User | undefined>;
  /**
   * Adds a wallet that another wallet of the user has approved. Returns false when the user has the wallet, when its removal is not finished,
   * when the user has the most wallets allowed, or no longer has the wallet that approved.
   */
  addWallet: (id: string, wallet: Omit<Wallet, 'primary'>, approvedBy: string, told: Told) => Promise<boolean>;
  /** Removes a wallet that is not the primary one, and notes it as leaving. Returns false when there is none. */
  removeWallet: (id: string, address: string, told: Told) => Promise<boolean>;
  /** Makes another wallet of the user the primary one. Returns false when it is, or is not a wallet of the user. */
  makePrimary: (id: string, address: string, told: Told) => Promise<boolean>;
  /**
   * Replaces a wallet by one that the user does not have, and records the former as leaving. Returns false when the user does not have
   * `lost`, or has `wallet`, or its removal is not finished.
   */
  replaceWallet: (id: string, lost: string, wallet: Wallet, told: Told) => Promise<boolean>;
  /**
   * Notes a mail to the user, with its events. One that waits under the same id is not noted again. It takes the place of one of the same kind about the same card:
   * repeating a change, as a thief does at will, displaces no other mail.
   */
  addNotice: (id: string, told: Told) => Promise<void>;
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

/** The counts of a period. */
const MAX_COUNTED = 1_000_000;

const emailOf = (id: string) => ({ collection: 'users', id, field: 'email' });

export const createUserStore = (connection: Connection, cipher: FieldCipher): UserStore => {
  const model = connection.model<UserDocument>('User', schema);
  const projection = { outbox: 0, relayed: 0, kycSequence: 0, kycEventIds: 0, leavingWallets: 0, notices: 0, noticesDueAt: 0 };
  const read = createBatchedReads(rawCollection(model), { projection, provesAbsence: true });
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
      const found = await read(id);
      if (found?.email === undefined) return undefined;
      const { _id, outbox: _events, leavingWallets: _leaving, erasedAt: _erased, email, ...user } = found;
      return {
        id: _id,
        ...user,
        email: cipher.decrypt(email, emailOf(_id)),
        wallets: user.wallets.toSorted((a, b) => Number(b.primary) - Number(a.primary)),
      };
    },
    count: () => model.estimatedDocumentCount(),
    // Ids are ordered by time, so this needs no index of its own.
    countBetween: (from, to) =>
      model.countDocuments({ _id: { $gte: firstIdAt(from), ...(to === undefined ? {} : { $lt: firstIdAt(to) }) } }).limit(MAX_COUNTED),
    partnerOf: async (id) => (await model.findById(id, { partnerId: 1 }).lean())?.partnerId,
    erasedOf: async (ids) => {
      if (ids.length === 0) return [];
      const found = await model.find({ _id: { $in: [...ids] }, erasedAt: { $ne: null } }, { _id: 1 }).lean();
      return found.map(({ _id }) => _id);
    },
    beginErasure: async (id) => {
      await model.updateOne({ _id: id, erasedAt: null }, { $set: { isErasing: true } });
    },
    findErasing: async (id) => {
      const found = await model.findOne({ _id: id, isErasing: true, erasedAt: null }, { wallets: 1, partnerId: 1, email: 1 }).lean();
      if (found === null) return undefined;
      const { wallets, partnerId, email } = found;
      return { wallets, partnerId, readEmail: () => email && cipher.decrypt(email, emailOf(id)) };
    },
    erase: async (id, now, event) => {
      await model.updateOne(
        { _id: id, isErasing: true, erasedAt: null },
        {
          $set: { erasedAt: now, wallets: [] },
          $unset: { email: 1, kycEventIds: 1, leavingWallets: 1, notices: 1, noticesDueAt: 1 },
          $push: { outbox: event },
        },
      );
    },
    addWallet: async (id, wallet, approvedBy, told) => {
      const { address } = wallet;
      const isFree = {
        leavingWallets: { $ne: address },
        isErasing: { $ne: true },
        $and: [{ 'wallets.address': approvedBy }, { 'wallets.address': { $ne: address } }],
      };
      const room = { _id: id, ...isFree, [`wallets.${MAX_WALLETS - 1}`]: { $exists: false } };
      const { modifiedCount } = await model.updateOne(room, withTold(told, { $push: { wallets: { ...wallet, primary: false } } }));
      return modifiedCount === 1;
    },
    removeWallet: async (id, address, told) => {
      const { modifiedCount } = await model.updateOne(
        { _id: id, wallets: { $elemMatch: { address, primary: false } } },
        withTold(told, { $pull: { wallets: { address } }, $addToSet: { leavingWallets: address } }),
      );
      return modifiedCount === 1;
    },
    makePrimary: async (id, address, told) => {
      const { modifiedCount } = await model.updateOne(
        { _id: id, wallets: { $elemMatch: { address, primary: false } } },
        withTold(told, { $set: { 'wallets.$[previous].primary': false, 'wallets.$[next].primary': true } }),
        { arrayFilters: [{ 'previous.address': { $ne: address } }, { 'next.address': address }] },
      );
      return modifiedCount === 1;
    },
    replaceWallet: async (id, lost, wallet, told) => {
      const { address, primary } = wallet;
      const isFree = { leavingWallets: { $ne: address }, 'wallets.address': { $ne: address }, isErasing: { $ne: true } };
      const { modifiedCount } = await model.updateOne(
        { _id: id, ...isFree, wallets: { $elemMatch: { address: lost, primary } } },
        withTold(told, { $set: { 'wallets.$[lost]': wallet }, $addToSet: { leavingWallets: lost } }),
        { arrayFilters: [{ 'lost.address': lost }] },
      );
      return modifiedCount === 1;
    },
    addNotice: async (id, { events, notice }) => {
      const subjectOf = (one: string) => [`${one}.kind`, { $ifNull: [`${one}.last4`, ''] }];
      const others = {
        $filter: { input: { $ifNull: ['$notices', []] }, cond: { $ne: [subjectOf('$$this'), [notice.kind, notice.last4 ?? '']] } },
      };
      await model.updateOne(
        { _id: id, isErasing: { $ne: true }, 'notices.id': { $ne: notice.id } },
        [
          {
            $set: {
              notices: { $concatArrays: [others, [{ $literal: notice }]] },
              outbox: { $concatArrays: ['$outbox', { $literal: [...events] }] },
              noticesDueAt: notice.at,
            },
          },
        ],
        { updatePipeline: true },
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
