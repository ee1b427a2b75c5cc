import { createBatchedInserts, createBatchedReads, rawCollection } from '@florin/data/store';
import { type Connection, type mongo, Schema } from 'mongoose';
import type { Spending } from '../domain/spending.ts';
import { fromStored, type Stored, toStored } from './amount-fields.ts';

type SpendingDocument = Stored<Omit<Spending, 'id'>> & {
  _id: string;
  /** Present while there are reservations: when the oldest was made. */
  reservedSince?: Date;
};

const schema = new Schema<SpendingDocument>({ _id: String }, { collection: 'spendings', versionKey: false, strict: false });
// Finds the documents with reservations that were abandoned.
schema.index({ reservedSince: 1 }, { sparse: true });

const toSpending = ({ _id, reservedSince: _since, ...rest }: SpendingDocument): Spending => ({
  id: _id,
  ...fromStored<Omit<Spending, 'id'>>(rest as Stored<Omit<Spending, 'id'>>),
});

const oldestReservation = ({ entries }: Spending): Date | undefined => {
  const times = entries.flatMap(({ reservations }) => reservations.map(({ at }) => at.getTime()));
  return times.length === 0 ? undefined : new Date(times.reduce((oldest, time) => Math.min(oldest, time)));
};

/** Spending documents of cards and accounts. */
export const createSpendingStore = (connection: Connection) => {
  const collection = rawCollection(connection.model<SpendingDocument>('Spending', schema));
  const insert = createBatchedInserts(collection);
  const read = createBatchedReads(collection);

  return {
    find: async (id: string): Promise<Spending | undefined> => {
      const found = await read(id);
      return found === undefined ? undefined : toSpending(found);
    },

    /**
     * Replaces a spending document with its next revision.
     * @returns false if the document has changed since `current`: nothing is written
     */
    save: async (current: Spending, next: Spending): Promise<boolean> => {
      const { id, ...body } = next;
      const since = oldestReservation(next);
      const revision = current.revision + 1;
      const document = { ...toStored({ ...body, revision }), ...(since === undefined ? {} : { reservedSince: since }) };
      if (current.revision === 0) return insert({ _id: id, ...document } as SpendingDocument);
      const filter = { _id: id, revision: current.revision } as mongo.Filter<SpendingDocument>;
      const { modifiedCount } = await collection.replaceOne(filter, document as never);
      return modifiedCount === 1;
    },

    /** Documents with a reservation made before `before`, oldest first. */
    findReserved: async (before: Date, limit: number): Promise<Spending[]> => {
      const filter = { reservedSince: { $lt: before } } as mongo.Filter<SpendingDocument>;
      return (await collection.find(filter).sort({ reservedSince: 1 }).limit(limit).toArray()).map(toSpending);
    },
  };
};

export type SpendingStore = ReturnType<typeof createSpendingStore>;
