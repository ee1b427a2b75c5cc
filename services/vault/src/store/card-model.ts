import { type OutboxEvent, outboxField, outboxIndex } from '@florin/data/outbox';
import { type Connection, type Model, Schema } from 'mongoose';
import type { CardDataChallenge, Pin, PinCheck, SecurityCodeCheck, SecurityCodeTally, VaultCard, Wrapped } from '../domain/card.ts';
import { CARD_DATA_ACTIONS } from '../domain/card-data-text.ts';

export type CardDocument = Omit<VaultCard, 'id'> & {
  _id: string;
  outbox: OutboxEvent[];
  relayed?: number;
  /** Set when the data key, the number and the PIN were destroyed. */
  shreddedAt?: Date;
};

const text = { type: String, required: true } as const;
const time = { type: Date, required: true } as const;
const number = { type: Number, required: true } as const;
const embedded = { _id: false, id: false } as const;

export const wrappedSchema = new Schema<Wrapped>({ keyId: text, text }, embedded);

const challenge = new Schema<CardDataChallenge>(
  {
    action: { ...text, enum: CARD_DATA_ACTIONS },
    thumbprint: text,
    chainId: number,
    authorization: text,
    nonce: text,
    expiresAt: time,
  },
  embedded,
);

const pinCheck = new Schema<PinCheck>({ id: text, hash: text, result: text }, embedded);

const pin = new Schema<Pin>(
  {
    hash: text,
    sealed: text,
    wrongTries: number,
    checks: [pinCheck],
    setBy: { type: new Schema<Pin['setBy']>({ nonce: text, messageHash: text }, embedded), required: true },
  },
  embedded,
);

const securityCodeTries = new Schema<SecurityCodeTally>(
  { day: text, wrong: number, checks: [new Schema<SecurityCodeCheck>({ id: text, result: text }, embedded)] },
  embedded,
);

const schema = new Schema<CardDocument>(
  {
    _id: String,
    userId: text,
    last4: text,
    expMonth: number,
    expYear: number,
    network: text,
    panHash: text,
    dataKey: { type: wrappedSchema, required: true },
    pan: text,
    pin,
    securityCodeTries,
    challenges: [challenge],
    reveals: { type: new Schema<VaultCard['reveals']>({ day: text, count: number }, embedded), required: true },
    outbox: outboxField,
    createdAt: time,
    shreddedAt: Date,
  },
  { collection: 'cards', versionKey: false },
);
schema.index(outboxIndex);
// Finds the cards of a user, newest first.
schema.index({ userId: 1, _id: -1 });
// Finds the cards whose data key is to be wrapped again.
schema.index({ 'dataKey.keyId': 1 });

export const cardModel = (connection: Connection): Model<CardDocument> => connection.model<CardDocument>('Card', schema);
