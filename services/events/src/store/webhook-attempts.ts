import { daysMs, type RetentionRule } from '@florin/data/retention';
import { isDuplicateKey, rawCollection } from '@florin/data/store';
import { type Connection, Schema } from 'mongoose';

/** One attempt to deliver something. */
export type Attempt = {
  /** UUID v7: attempts are listed by it. */
  id: string;
  endpointId: string;
  eventId: string;
  eventType: string;
  sequence: number;
  /** From 1; 0 beside the feed. */
  number: number;
  at: Date;
  durationMs: number;
  /** 0 without an answer. */
  status: number;
  /** Why there was no answer; empty with one. */
  failure: string;
  /** The first KiB of the answer. */
  answer: string;
};

type Document = Omit<Attempt, 'id'> & { _id: string };

const COLLECTION = 'webhook_attempts';

const schema = new Schema<Document>({ _id: String }, { collection: COLLECTION, versionKey: false, strict: false })
  .index({ endpointId: 1, sequence: 1 })
  .index({ at: 1 });

/** Ids begin with the endpoint, so that its attempts are in the order of their time by `_id` alone. */
const keyOf = (endpointId: string, id: string): string => `${endpointId}:${id}`;

/** Attempts are deleted after some days. */
export const attemptRule = (days: number): RetentionRule => ({
  collection: COLLECTION,
  keptMs: daysMs(days),
  due: (before) => ({ at: { $lt: before } }),
});

/** The log of deliveries. */
export const createWebhookAttemptStore = (connection: Connection) => {
  const collection = rawCollection(connection.model<Document>('WebhookAttempt', schema));
  return {
    insert: async (attempts: readonly Attempt[]): Promise<void> => {
      const documents = attempts.map(({ id, ...attempt }) => ({ _id: keyOf(attempt.endpointId, id), ...attempt }));
      await collection.insertMany(documents, { ordered: false }).catch((error: unknown) => {
        // A repeat after an answer that was lost.
        if (!isDuplicateKey(error)) throw error;
      });
    },

    /** Up to `limit` attempts before one, newest first; of one event, if its place or its id beside it is given. */
    list: async (
      endpointId: string,
      { before, limit, sequence, eventId }: { before: string; limit: number; sequence?: number | undefined; eventId?: string },
    ): Promise<Attempt[]> => {
      const range = { $gt: keyOf(endpointId, ''), $lt: before === '' ? `${endpointId};` : keyOf(endpointId, before) };
      const found = await collection
        .find({ _id: range, ...(sequence === undefined ? {} : { endpointId, sequence }), ...(eventId === undefined ? {} : { eventId }) })
        .sort({ _id: -1 })
        .limit(limit)
        .toArray();
      return found.map(({ _id, ...attempt }) => ({ ...attempt, id: _id.slice(endpointId.length + 1) }));
    },
  };
};

export type WebhookAttemptStore = ReturnType<typeof createWebhookAttemptStore>;
