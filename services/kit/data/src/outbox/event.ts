import { Schema } from 'mongoose';

/** Something that happened to an aggregate. Pushed into the aggregate's own document by the write that made it happen. */
export type OutboxEvent = {
  /** UUID; consumers drop what they have seen. */
  id: string;
  /** `<aggregate>.<past participle>`, for example `challenge.decided`. */
  type: string;
  at: Date;
  /** Plain JSON, without secrets. */
  payload: Record<string, unknown>;
};

/** The `outbox` member of a document's schema. */
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

/** Index that finds the documents with something to publish; empty arrays do not appear in it under any other key. */
export const outboxIndex = { 'outbox.at': 1 } as const;
