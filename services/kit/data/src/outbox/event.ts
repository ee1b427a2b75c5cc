import { Schema } from 'mongoose';

/** An event of an aggregate, stored in the aggregate's document by the write that caused it. */
export type OutboxEvent = {
  /** UUID, by which consumers recognize duplicates. */
  id: string;
  /** `<aggregate>.<past participle>`, for example `challenge.decided`. */
  type: string;
  at: Date;
  /** JSON without secrets. */
  payload: Record<string, unknown>;
};

/** The fields of a document that follow from its events. */
export type Outboxed = {
  /** Events that are not published yet, in their order. */
  outbox: OutboxEvent[];
  /**
   * How many events have left the outbox; absent for none. The write that adds an event thereby numbers it: an event's number is its place in the outbox, counted
   * on from here. The relay alone writes it.
   */
  relayed?: number;
};

/** The `outbox` field of a document's schema. */
export const outboxField = {
  type: [
    new Schema<OutboxEvent>(
      {
        id: { type: String, required: true },
        type: { type: String, required: true },
        at: { type: Date, required: true },
        payload: Schema.Types.Mixed,
      },
      { _id: false, id: false },
    ),
  ],
  default: [],
};

/** Index that finds the documents with unpublished events, the oldest event first. */
export const outboxIndex = { 'outbox.at': 1 } as const;
