import { isDuplicateKey } from '@florin/data/store';
import { type Connection, Schema } from 'mongoose';

/** An action of an operator, by the key under which it is repeated. */
export type StoredAction = {
  /** Id of the operator, and the Idempotency-Key. */
  _id: string;
  /** The id by which the services know the action; a UUID. */
  actionId: string;
  /** Hash of what was asked for: another request cannot have the same key. */
  requestHash: string;
  createdAt: Date;
  /** State of what was changed; absent until the action is known to be done. */
  status?: string;
};

const text = { type: String, required: true } as const;

const schema = new Schema<StoredAction>(
  { _id: String, actionId: text, requestHash: text, createdAt: { type: Date, required: true }, status: String },
  { collection: 'actions', versionKey: false },
);
schema.index({ createdAt: 1 });

/** Actions of operators, so that a repeat does nothing twice. */
export const createActionStore = (connection: Connection) => {
  const model = connection.model<StoredAction>('Action', schema);
  return {
    /** Stores an action before it is done. @returns the one that is stored under its key, by this call or an earlier one */
    begin: async (action: StoredAction): Promise<StoredAction> => {
      try {
        await model.create(action);
        return action;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        return (await model.findById(action._id).lean()) ?? action;
      }
    },
    done: async (id: string, status: string): Promise<void> => {
      await model.updateOne({ _id: id }, { $set: { status } });
    },
  };
};

export type ActionStore = ReturnType<typeof createActionStore>;
