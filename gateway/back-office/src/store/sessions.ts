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
  },
  { collection: 'operator_sessions', versionKey: false },
);
schema.index({ operatorId: 1 });
schema.index({ expiresAt: 1 });

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
    confirmed: async (hash: string, at: Date, passkeyId: string): Promise<void> => {
      await model.updateOne({ _id: hash }, { $max: { confirmedAt: at, lastUsedAt: at }, $addToSet: { passkeyIds: passkeyId } });
    },
    end: async (hash: string): Promise<void> => {
      await model.deleteOne({ _id: hash });
    },
    /** Ends an operator's sessions with a passkey, and those of which it is not known. */
    endAllWith: async (operatorId: string, passkeyId: string): Promise<void> => {
      await model.deleteMany({ operatorId, $or: [{ passkeyIds: passkeyId }, { passkeyIds: { $exists: false } }] });
    },
    endAllOf: async (operatorId: string): Promise<void> => {
      await model.deleteMany({ operatorId });
    },
  };
};

export type SessionStore = ReturnType<typeof createSessionStore>;
