import { type OutboxEvent, outboxField, outboxIndex } from '@florin/data/outbox';
import type { TypedMessage } from '@florin/evm/typed-messages';
import { type Connection, Schema } from 'mongoose';
import { type Challenge, type Consumption, DECISIONS, type IssuedTypedData, type Receipt, SIGNER_TYPES } from '../domain/challenge.ts';
import { CHALLENGE_STATUSES } from '../domain/challenge-state.ts';
import type { Merchant } from '../domain/merchant.ts';

/** A challenge as stored; `_id` is its id. */
export type ChallengeDocument = Omit<Challenge, 'id'> & { _id: string; outbox: OutboxEvent[]; relayed?: number };

const text = { type: String, required: true } as const;
const time = { type: Date, required: true } as const;
const number = { type: Number, required: true } as const;
const embedded = { _id: false, id: false } as const;

const merchant = new Schema<Merchant>({ id: String, displayName: String, country: String, categoryCode: String }, embedded);

const issued = new Schema<IssuedTypedData>({ nonce: text, authorization: text, issuedAt: time }, embedded);

const typedData = new Schema<TypedMessage>(
  { domainName: text, domainVersion: text, chainId: number, authorization: text, nonce: text },
  embedded,
);

const receipt = new Schema<Receipt & { blockNumber?: number }>(
  {
    typedData: { type: typedData, required: true },
    signature: text,
    signer: text,
    signerType: { ...text, enum: SIGNER_TYPES },
    blockNumber: Number,
    issuedAt: time,
    decidedAt: time,
  },
  embedded,
);

const consumingRequest = new Schema<Consumption['requests'][number]>({ id: text, amount: text }, embedded);

const schema = new Schema<ChallengeDocument>(
  {
    _id: String,
    reference: text,
    callerName: text,
    userId: text,
    cardId: text,
    accountId: text,
    chainId: number,
    safeAddress: String,
    last4: text,
    // Empty without a payment.
    amount: String,
    currency: String,
    decimals: number,
    merchant: { type: merchant, required: true },
    status: { ...text, enum: CHALLENGE_STATUSES },
    confirmsLater: Boolean,
    dsTransactionId: String,
    requestorInitiated: Boolean,
    valueHash: String,
    createdAt: time,
    expiresAt: time,
    issued: { approve: [issued], decline: [issued] },
    badSignatures: number,
    decision: { type: String, enum: DECISIONS },
    receipt,
    processingSince: Date,
    consumedBy: new Schema<Consumption>({ paymentId: text, at: time, requests: [consumingRequest], revision: number }, embedded),
    agedSeconds: Number,
    releasedUses: { type: [String], default: undefined },
    outbox: outboxField,
  },
  // Keeps an empty merchant, which is valid.
  { collection: 'challenges', versionKey: false, minimize: false },
);
schema.index(outboxIndex);
// A user's challenges, and those that a service raised, newest first.
schema.index({ userId: 1, _id: -1 });
schema.index({ callerName: 1, _id: -1 });
// The challenges that were raised under a reference, newest first.
schema.index({ reference: 1, _id: -1 });
// Challenges by what an authorization has of them.
schema.index({ dsTransactionId: 1, _id: -1 }, { partialFilterExpression: { dsTransactionId: { $exists: true } } });
schema.index({ valueHash: 1, _id: -1 }, { partialFilterExpression: { valueHash: { $exists: true } } });
// The sweeper's two queries.
schema.index({ status: 1, expiresAt: 1 });
schema.index({ status: 1, processingSince: 1 });

export const challengeModel = (connection: Connection) => connection.model<ChallengeDocument>('Challenge', schema);
export type ChallengeModel = ReturnType<typeof challengeModel>;
