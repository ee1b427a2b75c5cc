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

type Document = Omit<Session, 'id'> & {
  _id: string;
  /** Revoked, and nobody has been told yet. */
  unannounced?: boolean | undefined;
};

/** Whose sessions: some wallets' at one partner. */
export type SessionOwner = { wallets: readonly string[]; partnerId: string };

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
    unannounced: Boolean,
    userAgent: String,
    ip: String,
  },
  { collection: 'sessions', versionKey: false },
);
schema.index({ expiresAt: 1 }, { expireAfterSeconds: KEPT_AFTER_EXPIRY_SECONDS });
schema.index({ wallet: 1, _id: -1 });
schema.index({ revokedAt: 1 }, { sparse: true });
schema.index({ unannounced: 1 }, { sparse: true });

export type SessionStore = {
  add: (session: Session) => Promise<void>;
  find: (id: string) => Promise<Session | undefined>;
  /** Takes the session from `generation` to the next one; false when it is not there any more, so that one of two racing refreshes wins. */
  rotate: (id: string, generation: number, now: Date, expiresAt: Date) => Promise<boolean>;
  /** Ends the session for good, and notes in the same write that this has to be announced. */
  revoke: (id: string, now: Date) => Promise<void>;
  /** The same for every session of an owner. */
  revokeAllOf: (owner: SessionOwner, now: Date) => Promise<void>;
  /** Revoked sessions that nobody has been told about, of one owner or of everybody. */
  unannounced: (limit: number, owner?: SessionOwner) => Promise<string[]>;
  markAnnounced: (ids: readonly string[]) => Promise<void>;
  /** Sessions revoked after a moment, at most `limit`. */
  revokedAfter: (time: Date, limit: number) => Promise<string[]>;
  /** An owner's sessions that can still be used, newest first. @param page `before` is the id of the last one seen */
  page: (owner: SessionOwner, page: { limit: number; before?: string | undefined }, now: Date) => Promise<Session[]>;
};

const toSession = ({ _id, unannounced: _, ...session }: Document): Session => ({ id: _id, ...session });

const ofOwner = ({ wallets, partnerId }: SessionOwner) => ({ wallet: { $in: [...wallets] }, partnerId });

export const createSessionStore = (connection: Connection): SessionStore => {
  const model = connection.model<Document>('Session', schema);
  return {
    add: async ({ id, ...session }) => {
      await model.create({ _id: id, ...session });
    },
    find: async (id) => {
      const found = await model.findById(id).lean();
      return found === null ? undefined : toSession(found);
    },
    rotate: async (id, generation, now, expiresAt) => {
      const { modifiedCount } = await model.updateOne(
        { _id: id, generation, revokedAt: null, expiresAt: { $gt: now } },
        { $set: { generation: generation + 1, rotatedAt: now, lastUsedAt: now, expiresAt } },
      );
      return modifiedCount === 1;
    },
    revoke: async (id, now) => {
      await model.updateOne({ _id: id, revokedAt: null }, { $set: { revokedAt: now, unannounced: true } });
    },
    revokeAllOf: async (owner, now) => {
      await model.updateMany({ ...ofOwner(owner), revokedAt: null }, { $set: { revokedAt: now, unannounced: true } });
    },
    unannounced: async (limit, owner) => {
      const whose = owner === undefined ? {} : ofOwner(owner);
      return (
        await model
          .find({ ...whose, unannounced: true }, { _id: 1 })
          .limit(limit)
          .lean()
      ).map(({ _id }) => _id);
    },
    markAnnounced: async (ids) => {
      await model.updateMany({ _id: { $in: [...ids] } }, { $unset: { unannounced: 1 } });
    },
    revokedAfter: async (time, limit) =>
      (
        await model
          .find({ revokedAt: { $gt: time } }, { _id: 1 })
          .limit(limit)
          .lean()
      ).map(({ _id }) => _id),
    page: async (owner, { limit, before }, now) => {
      const from = before === undefined ? {} : { _id: { $lt: before } };
      const usable = { ...ofOwner(owner), ...from, revokedAt: null, expiresAt: { $gt: now } };
      return (await model.find(usable).sort({ _id: -1 }).limit(limit).lean()).map(toSession);
    },
  };
};
