import { type Connection, Schema } from 'mongoose';

/** An operator's leave to read a person's file, with the reason. */
export type StoredAccess = {
  /** Ids of operator and person. */
  _id: string;
  reason: string;
  expiresAt: Date;
};

const schema = new Schema<StoredAccess>(
  { _id: String, reason: { type: String, required: true }, expiresAt: { type: Date, required: true } },
  { collection: 'accesses', versionKey: false },
);
schema.index({ expiresAt: 1 });

const idOf = (operatorId: string, userId: string): string => `${operatorId}:${userId}`;

/** Permissions to read a person's file: operator, person, reason, end. */
export const createAccessStore = (connection: Connection) => {
  const model = connection.model<StoredAccess>('Access', schema);
  return {
    /** @returns null when there is none that has not expired */
    find: (operatorId: string, userId: string, now: Date): Promise<StoredAccess | null> =>
      model.findOne({ _id: idOf(operatorId, userId), expiresAt: { $gt: now } }).lean(),
    /** Opens an access; another one to the same person ends. */
    open: async (operatorId: string, userId: string, { reason, expiresAt }: Omit<StoredAccess, '_id'>): Promise<void> => {
      await model.updateOne({ _id: idOf(operatorId, userId) }, { $set: { reason, expiresAt } }, { upsert: true });
    },
  };
};

export type AccessStore = ReturnType<typeof createAccessStore>;
