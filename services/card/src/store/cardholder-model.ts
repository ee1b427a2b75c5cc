import { type OutboxEvent, outboxField, outboxIndex } from '@florin/data/outbox';
import { type Connection, type Model, Schema } from 'mongoose';
import { CARD_COLOURS } from '../domain/card.ts';
import type { Attempt, Cardholder, Issuing, Order, ProvisionalCredit, Slot } from '../domain/cardholder.ts';

export type CardholderDocument = Omit<Cardholder, 'userId' | 'phone'> & {
  /** The user's id, so that two concurrent first cards create one cardholder. */
  _id: string;
  /** The user is erased: no card is ordered any more. */
  erasedAt?: Date;
  /** Encrypted; absent once erased. */
  phone?: string;
  /** Keyed hash of the number; absent once erased. */
  phoneHash?: string;
  /** The latest disputes that were credited provisionally, oldest first; absent before the first one. */
  provisionalCredits?: ProvisionalCredit[];
  outbox: OutboxEvent[];
  relayed?: number;
  createdAt: Date;
  updatedAt: Date;
};

const attempt = new Schema<Attempt>(
  { id: { type: String, required: true }, at: { type: Date, required: true } },
  { _id: false, id: false },
);

const issued = new Schema<NonNullable<Issuing['issued']>>(
  {
    last4: { type: String, required: true },
    expMonth: { type: Number, required: true },
    expYear: { type: Number, required: true },
    network: { type: String, required: true },
    at: { type: Date, required: true },
  },
  { _id: false },
);

const slot = new Schema<Slot>(
  {
    cardId: { type: String, required: true },
    accountId: { type: String, required: true },
    name: { type: String, required: true },
    colour: { type: String, enum: CARD_COLOURS },
    requestedAt: { type: Date, required: true },
    replacementFor: String,
    seriesId: String,
    issuing: new Schema<Issuing>(
      {
        attempt: { type: attempt, required: true },
        attempts: { type: Number, required: true },
        dueAt: { type: Date, required: true },
        issued,
      },
      { _id: false },
    ),
  },
  { _id: false },
);

const provisionalCredit = new Schema<ProvisionalCredit>(
  { disputeId: { type: String, required: true }, at: { type: Date, required: true } },
  { _id: false },
);

const order = new Schema<Order>({ cardId: { type: String, required: true }, at: { type: Date, required: true } }, { _id: false });

const schema = new Schema<CardholderDocument>(
  {
    _id: String,
    cardholderId: { type: String, required: true },
    phone: String,
    phoneHash: String,
    erasedAt: Date,
    phoneVerified: { type: Boolean, required: true },
    slots: { type: [slot], default: [] },
    orders: { type: [order], default: undefined },
    provisionalCredits: { type: [provisionalCredit], default: undefined },
    outbox: outboxField,
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { collection: 'cardholders', versionKey: false },
);
schema.index(outboxIndex);
// Finds the slots whose card is still being issued, by the time of the next attempt; a slot leaves the index when its card is written.
schema.index({ 'slots.issuing.dueAt': 1 });

export const cardholderModel = (connection: Connection): Model<CardholderDocument> =>
  connection.model<CardholderDocument>('Cardholder', schema);
