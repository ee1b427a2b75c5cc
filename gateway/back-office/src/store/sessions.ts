import { type Connection, Schema } from 'mongoose';

export type StoredSession = {
  /** SHA-256 of the token, hex. */
  _id: string;
  operatorId: string;
  createdAt: Date;
  lastUsedAt: Date;
  /** When it ends in any case. */
  expiresAt: Date;
  /** When the operator last confirmed with a passkey in this session. */
  confirmedAt?: Date;
  /** Ids of the credentials by which it was begun or confirmed: it ends with each of them. Absent for those that were begun by an earlier release. */
  passkeyIds?: string[];
  /** The person at the OpenID provider by whose sign-in it was begun: it ends when the operator is somebody else there, or nobody. */
  provider?: string;
};

const schema = new Schema<StoredSession>(
  {
    _id: String,
    operatorId: { type: String, required: true },
    createdAt: { type: Date, required: true },
    lastUsedAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
    confirmedAt: Date,
    passkeyIds: { type: [String], default: undefined },
    provider: String,
  },
  { collection: 'operator_sessions', versionKey: false },
);
schema.index({ operatorId: 1 });
schema.index({ expiresAt: 1 });

/** The most sessions that a list returns. */
const MAX_SESSIONS = 100;

/** Sessions of operators, by hashes of their tokens. */
export const createSessionStore = (connection: Connection) => {
  const model = connection.model<StoredSession>('OperatorSession', schema);
  return {
    insert: async (session: StoredSession): Promise<void> => {
      await model.create(session);
    },
    find: (hash: string): Promise<StoredSession | null> => model.findById(hash).lean(),
    used: async (hash: string, at: Date): Promise<void> => {
      await model.updateOne({ _id: hash }, { $max: { lastUsedAt: at } });
    },
    /**
     * Replaces a session by a confirmed one. The former goes on for a moment without any confirmation: the page may have requests under way.
     * @param until when the former one ends
     */
    replace: async (formerHash: string, next: StoredSession, until: Date): Promise<void> => {
      await model.create(next);
      await model.updateOne({ _id: formerHash }, { $min: { expiresAt: until }, $unset: { confirmedAt: 1 } });
    },
    /** The sessions of an operator that have not ended, the newest first. */
    listOf: (operatorId: string, now: Date): Promise<StoredSession[]> =>
      model
        .find({ operatorId, expiresAt: { $gt: now } })
        .sort({ createdAt: -1 })
        .limit(MAX_SESSIONS)
        .lean(),
    end: async (hash: string): Promise<void> => {
      await model.deleteOne({ _id: hash });
    },
    /** Ends an operator's sessions with a passkey, and those of which it is not known. */
    endAllWith: async (operatorId: string, passkeyId: string): Promise<void> => {
      await model.deleteMany({ operatorId, $or: [{ passkeyIds: passkeyId }, { passkeyIds: { $exists: false } }] });
    },
    /** Ends an operator's sessions that were begun at the OpenID provider, and those of which it is not known. */
    endAllAtProvider: async (operatorId: string): Promise<void> => {
      await model.deleteMany({
        operatorId,
        $or: [{ provider: { $exists: true } }, { passkeyIds: { $size: 0 } }, { passkeyIds: { $exists: false } }],
      });
    },
    endAllOf: async (operatorId: string): Promise<void> => {
      await model.deleteMany({ operatorId });
    },
  };
};

export type SessionStore = ReturnType<typeof createSessionStore>;
