import { type Connection, Schema } from 'mongoose';
import type { RotationState } from '../domain/refresh-rules.ts';

/** A signed-in wallet at one partner. */
export type Session = RotationState & {
  id: string;
  /** EIP-55. */
  wallet: string;
  partnerId: string;
  /** Makes the session's refresh tokens differ from those of every other session, beside the key that they are derived with. */
  salt: string;
  createdAt: Date;
  lastUsedAt: Date;
  userAgent?: string | undefined;
  ip?: string | undefined;
};

type Document = Omit<Session, 'id'> & { _id: string };

/** Ended sessions are of no use to anybody after a while. */
const KEPT_AFTER_EXPIRY_SECONDS = 24 * 60 * 60;

const schema = new Schema<Document>(
  {
    _id: String,
    wallet: { type: String, required: true },
    partnerId: { type: String, required: true },
    salt: { type: String, required: true },
    generation: { type: Number, required: true },
    createdAt: { type: Date, required: true },
    lastUsedAt: { type: Date, required: true },
    rotatedAt: Date,
    expiresAt: { type: Date, required: true },
    revokedAt: Date,
    userAgent: String,
    ip: String,
  },
  { collection: 'sessions', versionKey: false },
);
schema.index({ expiresAt: 1 }, { expireAfterSeconds: KEPT_AFTER_EXPIRY_SECONDS });

export type SessionStore = {
  add: (session: Session) => Promise<void>;
  find: (id: string) => Promise<Session | undefined>;
  /** Takes the session from `generation` to the next one; false when it is not there any more, so that one of two racing refreshes wins. */
  rotate: (id: string, generation: number, now: Date, expiresAt: Date) => Promise<boolean>;
  /** Ends the session for good. */
  revoke: (id: string, now: Date) => Promise<void>;
};

export const createSessionStore = (connection: Connection): SessionStore => {
  const model = connection.model('Session', schema);
  return {
    add: async ({ id, ...session }) => {
      await model.create({ _id: id, ...session });
    },
    find: async (id) => {
      const found = await model.findById(id).lean();
      if (found === null) return undefined;
      const { _id, ...session } = found;
      return { id: _id, ...session };
    },
    rotate: async (id, generation, now, expiresAt) => {
      const { modifiedCount } = await model.updateOne(
        { _id: id, generation, revokedAt: null, expiresAt: { $gt: now } },
        { $set: { generation: generation + 1, rotatedAt: now, lastUsedAt: now, expiresAt } },
      );
      return modifiedCount === 1;
    },
    revoke: async (id, now) => {
      await model.updateOne({ _id: id, revokedAt: null }, { $set: { revokedAt: now } });
    },
  };
};
