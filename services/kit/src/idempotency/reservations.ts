import { type Connection, Schema } from 'mongoose';
import { CodedError } from '../errors/index.ts';
import { isDuplicateKey } from '../store/index.ts';

type Reservation = { _id: string; inputHash: string; resourceId: string; createdAt: Date };

const schema = new Schema<Reservation>(
  {
    _id: String,
    inputHash: { type: String, required: true },
    resourceId: { type: String, required: true },
    createdAt: { type: Date, required: true },
  },
  { collection: 'reservations', versionKey: false },
);

export type Reservations = {
  /**
   * Binds a caller's key to the id of the thing that it makes, before the thing is made. The first call decides the id; every
   * repeat gets the same one and can go on where a killed call stopped.
   * @throws CodedError IDEMPOTENCY_KEY_REUSED when the key came with other content before
   */
  reserve: (input: { key: string; inputHash: string; newId: string; now: Date }) => Promise<{ resourceId: string; repeated: boolean }>;
};

/** Idempotency keys of a service, one document each; `_id` is the key, so that one of two racing calls wins. */
export const createReservations = (connection: Connection): Reservations => {
  const model = connection.model('Reservation', schema);
  return {
    reserve: async ({ key, inputHash, newId, now }) => {
      try {
        await model.create({ _id: key, inputHash, resourceId: newId, createdAt: now });
        return { resourceId: newId, repeated: false };
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
      const existing = await model.findById(key).lean();
      if (existing === null) throw new CodedError('IDEMPOTENCY_IN_PROGRESS');
      if (existing.inputHash !== inputHash) throw new CodedError('IDEMPOTENCY_KEY_REUSED');
      return { resourceId: existing.resourceId, repeated: true };
    },
  };
};
