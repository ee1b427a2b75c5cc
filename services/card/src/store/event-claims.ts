import { createBatchedInserts, rawCollection } from '@florin/data/store';
import { CodedError } from '@florin/rpc/errors';
import { type Connection, Schema } from 'mongoose';
import type { PaymentFacts } from '../domain/payment.ts';
import type { PaymentEvent } from '../domain/payment-event.ts';
import { fromStored, type Stored, toStored } from './amount-fields.ts';

export type AbandonedRequest = { facts: PaymentFacts; event: PaymentEvent };

/** The claim of an event: what it contains and which payment it belongs to, bound by the first arrival. */
export type EventClaim = {
  /** `<processor>:<event id>`. */
  id: string;
  /** Hash of the event's content. */
  inputHash: string;
  /** Of a report in suspense: the id of its exception. Of a report that was settled: the settlement record. */
  paymentId: string;
  /** The report is in suspense. */
  suspended?: true;
  /** Of a request: what is needed to end it when it is abandoned. */
  request?: AbandonedRequest;
  at: Date;
};

type ClaimDocument = Stored<Omit<EventClaim, 'id'>> & { _id: string };

const schema = new Schema<ClaimDocument>({ _id: String }, { collection: 'event_claims', versionKey: false, strict: false });

/** Claims of the processors' events. */
export const createEventClaimStore = (connection: Connection) => {
  const collection = rawCollection(connection.model<ClaimDocument>('EventClaim', schema));
  const insert = createBatchedInserts(collection);

  const find = async (id: string): Promise<EventClaim | undefined> => {
    const found = await collection.findOne({ _id: id });
    if (found === null) return undefined;
    const { _id, ...claim } = found;
    return { id: _id, ...fromStored<Omit<EventClaim, 'id'>>(claim) };
  };

  return {
    find,

    /** The ids of the payments that the events of these claims belong to. */
    paymentsOf: async (ids: readonly string[]): Promise<string[]> => {
      const found = await collection.find({ _id: { $in: [...ids] } }, { projection: { paymentId: 1 } }).toArray();
      return found.map(({ paymentId }) => paymentId);
    },

    /**
     * Claims an event, or returns the claim of its first arrival.
     * @throws CodedError IDEMPOTENCY_KEY_REUSED when the first arrival had another content
     */
    claim: async ({ id, ...content }: EventClaim): Promise<EventClaim & { repeated: boolean }> => {
      if (await insert({ _id: id, ...toStored(content) })) return { id, ...content, repeated: false };
      const first = await find(id);
      if (first === undefined) throw new Error('unreachable: claims are never deleted');
      if (first.inputHash !== content.inputHash) throw new CodedError('IDEMPOTENCY_KEY_REUSED');
      return { ...first, repeated: true };
    },
  };
};

export type EventClaimStore = ReturnType<typeof createEventClaimStore>;
