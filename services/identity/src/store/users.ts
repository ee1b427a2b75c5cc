import { type OutboxEvent, outboxField, outboxIndex } from '@florin/kit/outbox';
import { isDuplicateKey } from '@florin/kit/store';
import { type Connection, type Model, Schema } from 'mongoose';
import type { User } from '../domain/user.ts';

export type UserDocument = Omit<User, 'id'> & {
  _id: string;
  /** The newest sequence and the last ids of the KYC provider's events. */
  kycSequence?: number;
  kycEventIds?: string[];
  outbox: OutboxEvent[];
};

const schema = new Schema<UserDocument>(
  {
    _id: String,
    partnerId: { type: String, required: true },
    email: { type: String, required: true },
    emailKey: { type: String, required: true },
    wallets: {
      type: [new Schema({ address: { type: String, required: true }, primary: { type: Boolean, required: true } }, { _id: false })],
      required: true,
    },
    kycStatus: { type: String, required: true },
    kycProfileId: { type: String, required: true },
    kycChangedAt: Date,
    kycSequence: Number,
    kycEventIds: { type: [String], default: undefined },
    accountId: { type: String, required: true },
    createdAt: { type: Date, required: true },
    outbox: outboxField,
  },
  { collection: 'users', versionKey: false },
);
schema.index(outboxIndex);
schema.index({ kycProfileId: 1 });

export type UserStore = {
  /** Writes a new user together with the event that says so; a user who is there already stays as is. */
  add: (user: User, event: OutboxEvent) => Promise<void>;
  find: (id: string) => Promise<User | undefined>;
  /** For the outbox relay, and for the stores of what else is in a user's document. */
  model: Model<UserDocument>;
};

export const createUserStore = (connection: Connection): UserStore => {
  const model = connection.model<UserDocument>('User', schema);
  return {
    model,
    add: async ({ id, ...user }, event) => {
      try {
        await model.create({ _id: id, ...user, outbox: [event] });
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
    },
    find: async (id) => {
      const found = await model.findById(id, { outbox: 0, kycSequence: 0, kycEventIds: 0 }).lean();
      if (found === null) return undefined;
      const { _id, outbox: _events, ...user } = found;
      return { id: _id, ...user };
    },
  };
};
