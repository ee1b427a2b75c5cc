import { CodedError } from '@florin/rpc/errors';
import { type Connection, Schema } from 'mongoose';
import { isDuplicateKey } from './store/index.ts';

type Reservation = { _id: string; inputHash: string; resourceId: string; createdAt: Date };

const schema = new Schema<Reservation>(
  {
    _id: String,
    inputHash: { type: String, required: true },
    resourceId: { type: String, required: true },
    createdAt: { type: Date, required: true },
  },
  { collection: 'reservations', versionKey: false },
).index({ createdAt: 1 });

export type Reservations = {
  /**
   * Returns the id to which an earlier call bound the key, or undefined. Writes nothing.
   * @throws CodedError IDEMPOTENCY_KEY_REUSED when that call had other content
   */
  find: (input: { key: string; inputHash: string }) => Promise<{ resourceId: string } | undefined>;
  /** Returns the id to which the key is bound, with any content; undefined if it is not bound. */
  lookUp: (key: string) => Promise<string | undefined>;
  /**
   * Binds a caller's key to the id of a resource before the resource is created. The first call determines the id; a repeated call gets
   * the same id and can resume where a killed call stopped.
   * @throws CodedError IDEMPOTENCY_KEY_REUSED when an earlier call used the key with other content
   */
  reserve: (input: { key: string; inputHash: string; newId: string; now: Date }) => Promise<{ resourceId: string; repeated: boolean }>;
};

/** Creates the store of a service's idempotency keys, one document each. `_id` is the key, so that one of two concurrent calls wins. */
export const createReservations = (connection: Connection): Reservations => {
  const model = connection.model('Reservation', schema);
  const find: Reservations['find'] = async ({ key, inputHash }) => {
    const existing = await model.findById(key).lean();
    if (existing === null) return undefined;
    if (existing.inputHash !== inputHash) throw new CodedError('IDEMPOTENCY_KEY_REUSED');
    return { resourceId: existing.resourceId };
  };
  return {
    find,
    lookUp: async (key) => (await model.findById(key).lean())?.resourceId,
    reserve: async ({ key, inputHash, newId, now }) => {
      try {
        await model.create({ _id: key, inputHash, resourceId: newId, createdAt: now });
        return { resourceId: newId, repeated: false };
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
      const existing = await find({ key, inputHash });
      if (existing === undefined) throw new CodedError('IDEMPOTENCY_IN_PROGRESS');
      return { ...existing, repeated: true };
    },
  };
};
