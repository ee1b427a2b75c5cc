import { daysMs, type RetentionRule } from '@florin/data/retention';
import { isDuplicateKey, rawCollection } from '@florin/data/store';
import { type Connection, Schema } from 'mongoose';

/** One notification for one device, or by mail. It has the ids of what it tells of, and is told from what the services know when it is sent. */
export type Delivery = {
  /** `<event>:<device>`, or `<event>:mail`: what exists once is sent once. */
  id: string;
  userId: string;
  /** Id of the device; absent: it is a mail. */
  deviceId?: string;
  eventId: string;
  type: string;
  /** The event's subject, `<kind>/<id>`. */
  subject: string;
  /** JSON of the event's data. */
  data: string;
  at: Date;
  /** After it, nothing is sent any more. */
  expiresAt: Date;
  /** When the next attempt is due; while one is made, when another instance may take it over. */
  dueAt: Date;
  attempts: number;
};

/** How a delivery has ended. */
export type Outcome = 'sent' | 'expired' | 'given_up' | 'unsubscribed' | 'not_wanted';

type Document = Omit<Delivery, 'id'> & { _id: string; outcome?: Outcome; endedAt?: Date };

const COLLECTION = 'deliveries';

const schema = new Schema<Document>({ _id: String }, { collection: COLLECTION, versionKey: false, strict: false })
  .index({ outcome: 1, dueAt: 1 })
  .index({ userId: 1, _id: 1 })
  .index({ endedAt: 1 });

/** A feed is not read again from further back. */
export const deliveryRule: RetentionRule = { collection: COLLECTION, keptMs: daysMs(7), due: (before) => ({ endedAt: { $lt: before } }) };

const toDelivery = ({ _id, ...rest }: Document): Delivery => ({ ...rest, id: _id });

/** Deliveries, waiting and ended. */
export type DeliveryStore = {
  /** Adds what does not exist yet. */
  insert: (deliveries: readonly Delivery[]) => Promise<void>;
  /** Takes over the delivery that is due for the longest time, until `until`. @returns undefined if none is due */
  claim: (now: Date, until: Date) => Promise<Delivery | undefined>;
  /** Ends a delivery. Its claim must still be the caller's. */
  end: (delivery: Delivery, outcome: Outcome, now: Date) => Promise<void>;
  /** Puts a delivery off. Its claim must still be the caller's. */
  postpone: (delivery: Delivery, dueAt: Date) => Promise<void>;
  /** Returns the number of waiting deliveries, and since when the oldest is due. */
  waiting: (now: Date) => Promise<{ count: number; oldestDueAt: Date | undefined }>;
  page: (userId: string, page: { limit: number; after: string | undefined }) => Promise<Delivery[]>;
  removeOf: (userId: string) => Promise<void>;
};

const COUNTED = 10_000;

export const createDeliveryStore = (connection: Connection): DeliveryStore => {
  const collection = rawCollection(connection.model<Document>('Delivery', schema));
  // A delivery that was taken over has been counted once more.
  const claimed = ({ id, attempts }: Delivery) => ({ _id: id, attempts, outcome: { $exists: false } });
  return {
    insert: async (deliveries) => {
      if (deliveries.length === 0) return;
      const documents = deliveries.map(({ id, ...rest }) => ({ ...rest, _id: id }));
      await collection.insertMany(documents, { ordered: false }).catch((error: unknown) => {
        if (!isDuplicateKey(error)) throw error;
      });
    },
    claim: async (now, until) => {
      const found = await collection.findOneAndUpdate(
        { outcome: { $exists: false }, dueAt: { $lte: now } },
        { $set: { dueAt: until }, $inc: { attempts: 1 } },
        { sort: { dueAt: 1 }, returnDocument: 'after' },
      );
      return found === null ? undefined : toDelivery(found);
    },
    end: async (delivery, outcome, now) => {
      await collection.updateOne(claimed(delivery), { $set: { outcome, endedAt: now } });
    },
    postpone: async (delivery, dueAt) => {
      await collection.updateOne(claimed(delivery), { $set: { dueAt } });
    },
    waiting: async (now) => {
      const due = { outcome: { $exists: false }, dueAt: { $lte: now } };
      const [count, [oldest]] = await Promise.all([
        collection.countDocuments(due, { limit: COUNTED }),
        collection.find(due).sort({ dueAt: 1 }).limit(1).toArray(),
      ]);
      return { count, oldestDueAt: oldest?.dueAt };
    },
    page: async (userId, { limit, after }) => {
      const found = await collection
        .find({ userId, ...(after === undefined ? {} : { _id: { $gt: after } }) })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray();
      return found.map(toDelivery);
    },
    removeOf: async (userId) => {
      await collection.deleteMany({ userId });
    },
  };
};
