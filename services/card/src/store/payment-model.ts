import { type OutboxEvent, outboxIndex } from '@florin/data/outbox';
import { type Connection, type Model, type mongo, Schema } from 'mongoose';
import type { Payment, PaymentOutcome, PaymentStatus } from '../domain/payment.ts';
import type { Stored } from './amount-fields.ts';
import type { Untold } from './card-model.ts';

export type PaymentDocument = Stored<Omit<Payment, 'id'>> & {
  /** The payment's id. */
  _id: string;
  /** UUID v7 of the first write: lists are sorted by it. */
  listId: string;
  /** The domain's `paymentStatus`, for filters. */
  status: PaymentStatus;
  /** The domain's `outcomeOf`, for counts; absent when nothing was decided, and from payments that earlier releases have recorded. */
  outcome?: PaymentOutcome;
  /** The domain's `paymentAmount` of an approved payment, for sums; absent from payments that earlier releases have recorded. */
  volume?: mongo.Long;
  /** Currency of the transaction, for filters. */
  originalCurrency?: string;
  /** Present while the processor has to be told of a dispute: when next, and how often that has failed. */
  untold?: Untold;
  /** Present while there are effects: when the oldest of them was written. */
  effectsSince?: Date;
  outbox: OutboxEvent[];
  relayed?: number;
};

// Documents are read and written through the driver (`rawCollection`); the schema names the collection and its indexes.
const schema = new Schema<PaymentDocument>({ _id: String }, { collection: 'payments', versionKey: false, strict: false });
schema.index(outboxIndex);
schema.index({ userId: 1, listId: -1 });
// Finds a payment by what its ledger entries are called.
schema.index({ userId: 1, ledgerEntries: 1 });
// Finds the payments of a card that an event without a transaction id may belong to.
schema.index({ cardId: 1, createdAt: -1 });
// Counts the outcomes of a period, and adds up what was approved, without reading a payment.
schema.index({ outcome: 1, createdAt: 1, volume: 1 });
// Find payments by what the card network calls them, newest first; only payments that have such a name are in these indexes.
schema.index({ retrievalReference: 1, listId: -1 }, { partialFilterExpression: { retrievalReference: { $exists: true } } });
schema.index({ authorizationCode: 1, listId: -1 }, { partialFilterExpression: { authorizationCode: { $exists: true } } });
schema.index({ networkTransactionId: 1, listId: -1 }, { partialFilterExpression: { networkTransactionId: { $exists: true } } });
schema.index({ otherIds: 1, listId: -1 }, { partialFilterExpression: { otherIds: { $exists: true } } });
// The sweepers' queries.
schema.index({ effectsSince: 1 }, { sparse: true });
schema.index({ expiresAt: 1 }, { sparse: true });
// Few payments have these fields. Sparse indexes would cost FerretDB about 100 µs each with every write of the others. It finds what is below a value by such an index only
// where the query says $exists.
for (const field of ['creditExpiresAt', 'untold.dueAt', 'events.network.acquirerReference']) {
  schema.index({ [field]: 1 }, { name: `${field}_present`, partialFilterExpression: { [field]: { $exists: true } } });
}
// Find payments by the state of their disputes; only payments with disputes are in these indexes.
schema.index({ 'dispute.status': 1, listId: -1 }, { partialFilterExpression: { 'dispute.status': { $exists: true } } });
schema.index({ 'earlierDisputes.status': 1, listId: -1 }, { partialFilterExpression: { 'earlierDisputes.status': { $exists: true } } });

export const paymentModel = (connection: Connection): Model<PaymentDocument> => connection.model<PaymentDocument>('Payment', schema);
