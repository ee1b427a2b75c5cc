import { rawCollection } from '@florin/data/store';
import { type Connection, Schema } from 'mongoose';

/** A clearing of the network, and the report of it that the card service has found. */
export type Match = {
  /** Key of the record. */
  key: string;
  /** The day that the record is booked on. */
  day: string;
  bookedAt: Date;
  /** Absent while no report is found. With an exception, another one may be found later. */
  found?: { paymentId: string; accountId: string; billedAmount: string; billingCurrency: string };
  /** The exception that the record has raised, if it has. */
  exceptionId?: string;
  /** The reference of the ledger's entry about the report, while that is in suspense. */
  suspenseId?: string;
  /** When the report is looked for again; absent once it is found and agrees, or is given up. */
  dueAt?: Date;
};

type Document = Omit<Match, 'key'> & { _id: string };

const schema = new Schema<Document>({ _id: String }, { collection: 'matches', versionKey: false, strict: false })
  .index({ dueAt: 1 }, { sparse: true })
  .index({ day: 1, _id: 1 });

/** The reports of clearings at the card service. They follow from the journal and can be made anew: the card service gives the same answers. */
export type MatchStore = {
  /** Stores what is known now. */
  put: (matches: readonly Match[]) => Promise<void>;
  /** The matches of these records, by key. */
  find: (keys: readonly string[]) => Promise<Map<string, Match>>;
  /** Clearings whose report is looked for again, at most `limit`, the longest due first. */
  due: (now: Date, limit: number) => Promise<Match[]>;
};

export const createMatchStore = (connection: Connection): MatchStore => {
  const collection = rawCollection(connection.model<Document>('Match', schema));
  return {
    put: async (matches) => {
      if (matches.length === 0) return;
      // Fields that a match does not have any more are removed.
      const writes = matches.map(({ key, ...match }) => {
        const over = (['found', 'dueAt', 'exceptionId', 'suspenseId'] as const).filter((field) => match[field] === undefined);
        const unset = over.length === 0 ? {} : { $unset: Object.fromEntries(over.map((field) => [field, '' as const])) };
        return { updateOne: { filter: { _id: key }, update: { $set: match, ...unset }, upsert: true } };
      });
      await collection.bulkWrite(writes, { ordered: false });
    },
    find: async (keys) => {
      const found = await collection.find({ _id: { $in: [...keys] } }).toArray();
      return new Map(found.map(({ _id, ...match }) => [_id, { ...match, key: _id }]));
    },
    due: async (now, limit) => {
      const found = await collection
        .find({ dueAt: { $lte: now } })
        .sort({ dueAt: 1 })
        .limit(limit)
        .toArray();
      return found.map(({ _id, ...match }) => ({ ...match, key: _id }));
    },
  };
};
