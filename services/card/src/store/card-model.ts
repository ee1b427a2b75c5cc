import { type OutboxEvent, outboxField, outboxIndex } from '@florin/data/outbox';
import { type Connection, type Model, Schema } from 'mongoose';
import {
  CARD_ACTIONS,
  CARD_ACTORS,
  CARD_COLOURS,
  type Card,
  type CardChange,
  type ChangeOrigin,
  type Renewal,
  STORED_CARD_STATUSES,
} from '../domain/card.ts';

/** When the processor is told of what has changed next, and how often that has failed. */
export type Untold = { dueAt: Date; attempts: number };

/** `untold` is set by every change, and removed when the processor knows of the latest one. */
export type CardDocument = Omit<Card, 'id'> & { _id: string; outbox: OutboxEvent[]; relayed?: number; untold?: Untold };

const text = { type: String, required: true } as const;
const time = { type: Date, required: true } as const;
const number = { type: Number, required: true } as const;
const embedded = { _id: false, id: false } as const;

const originFields = {
  requestId: text,
  inputHash: text,
  actor: { ...text, enum: CARD_ACTORS },
  actorId: text,
  reason: String,
} as const;

const change = new Schema<CardChange>(
  { ...originFields, at: time, action: { ...text, enum: CARD_ACTIONS }, from: text, to: text },
  embedded,
);

const renewal = new Schema<Renewal>(
  { origin: { type: new Schema<ChangeOrigin>(originFields, embedded), required: true }, requestedAt: time },
  embedded,
);

const schema = new Schema<CardDocument>(
  {
    _id: String,
    userId: text,
    accountId: text,
    name: text,
    colour: { type: String, enum: CARD_COLOURS },
    last4: text,
    expMonth: number,
    expYear: number,
    network: text,
    status: { ...text, enum: STORED_CARD_STATUSES },
    frozenBy: { type: [{ type: String, enum: CARD_ACTORS }], required: true },
    statusReason: String,
    replacementFor: String,
    seriesId: String,
    replacedBy: String,
    renewal,
    expiresAt: time,
    revision: number,
    history: [change],
    outbox: outboxField,
    untold: new Schema<Untold>({ dueAt: time, attempts: number }, embedded),
    createdAt: time,
  },
  { collection: 'cards', versionKey: false },
);
schema.index(outboxIndex);
schema.index({ userId: 1, _id: -1 });
schema.index({ last4: 1, _id: -1 });
schema.index({ status: 1, expiresAt: 1 });
// Finds the cards whose renewal is unfinished.
schema.index({ 'renewal.requestedAt': 1 });
// Finds cards with changes that were not reported to the processor.
schema.index({ 'untold.dueAt': 1 });

export const cardModel = (connection: Connection): Model<CardDocument> => connection.model<CardDocument>('Card', schema);
