import { type OutboxEvent, outboxField, outboxIndex } from '@florin/data/outbox';
import { type Connection, type Model, Schema } from 'mongoose';
import type { Card } from '../domain/card.ts';

export type CardDocument = Omit<Card, 'id'> & { _id: string; outbox: OutboxEvent[] };

const schema = new Schema<CardDocument>(
  {
    _id: String,
    userId: { type: String, required: true },
    accountId: { type: String, required: true },
    name: { type: String, required: true },
    last4: { type: String, required: true },
    expMonth: { type: Number, required: true },
    expYear: { type: Number, required: true },
    network: { type: String, required: true },
    status: { type: String, required: true, enum: ['active', 'frozen', 'lost', 'stolen', 'cancelled'] },
    expiresAt: { type: Date, required: true },
    outbox: outboxField,
    createdAt: { type: Date, required: true },
  },
  { collection: 'cards', versionKey: false },
);
schema.index(outboxIndex);
schema.index({ userId: 1, _id: -1 });

export const cardModel = (connection: Connection): Model<CardDocument> => connection.model<CardDocument>('Card', schema);
