import { z } from 'zod';
import { id, money, time } from './fields.ts';
import { QUEUE_NAMES } from './queue-names.ts';

const person = z.object({ id, name: z.string() });

/** The most notes of an item: the latest are kept. */
export const MAX_NOTES = 50;

const note = z.object({ at: time, by: z.string(), text: z.string() });
/** `GET /api/people/{userId}/notes`: oldest first. */
export const notes = z.object({ notes: z.array(note) });
export type PersonNotes = z.output<typeof notes>;

export const queueItem = z.object({
  /** Of the deposit, user, account, order, exception, payment, or webhook endpoint. */
  id,
  /** The kind of item, or the stage of a dispute, in lower case with hyphens. */
  kind: z.string(),
  /** Whom it is about, where that is known without opening a file. */
  userId: id.optional(),
  partnerId: z.string().optional(),
  amount: money.optional(),
  /** When it began to wait. */
  since: time,
  dueAt: time,
  isOverdue: z.boolean(),
  /** The operator who takes care of it; absent for nobody. */
  assignee: person.optional(),
  /** Oldest first. */
  notes: z.array(note),
});
export type QueueItem = z.output<typeof queueItem>;

/** `GET /api/queues/{queue}`: its open items, the longest overdue first: at most the first 1,000 that their service lists. */
export const queueItems = z.object({
  items: z.array(queueItem),
  /** True if there are more than these. */
  hasMore: z.boolean(),
  /** The active operators whose roles let them work on it. */
  operators: z.array(person),
});
export type QueueItems = z.output<typeof queueItems>;

/** `GET /api/queues`: the number of open items of each queue, without anything about them. It is read at most once in ten seconds, whoever asks, and not recorded. */
export const queueCounts = z.object({
  queues: z.array(
    z.object({
      queue: z.enum(QUEUE_NAMES),
      /** At most 1,000, as are the overdue ones and the oldest among them. */
      count: z.int(),
      overdue: z.int(),
      /** Of the oldest item; absent in an empty queue. */
      oldest: time.optional(),
      /** Changes with the items and with their assignees. */
      revision: z.string(),
    }),
  ),
  /** Queues that could not be read; they are absent above. */
  unavailable: z.array(z.enum(QUEUE_NAMES)),
});
export type QueueCounts = z.output<typeof queueCounts>;

/** `POST /api/queues/{queue}/items/{itemId}/assign`: to an operator or, with null, to nobody; `from` is to whom it was assigned when this was decided. */
export const assignBody = z
  .strictObject({ to: id.nullable(), from: id.nullable() })
  .transform((body) => ({ ...body, reason: 'assigned an item of a queue' }));
