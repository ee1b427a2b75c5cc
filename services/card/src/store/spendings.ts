import { createBatchedReads, createBatchedReplaces, rawCollection } from '@florin/data/store';
import { type Connection, mongo, Schema } from 'mongoose';
import type { Spending, SpendingEntry, SpendingSettings } from '../domain/spending.ts';
import { fromStored, type Stored, toStored } from './amount-fields.ts';
import { packEntries, unpackEntries } from './spending-entries.ts';

type SpendingDocument = Stored<Omit<Spending, 'id' | 'entries'>> & {
  _id: string;
  /** Entries without reservations, packed. */
  settled: mongo.Binary;
  /** Entries with reservations. */
  reserved: Stored<SpendingEntry>[];
  /** Present while there are reservations: when the oldest was made. */
  reservedSince?: Date;
};

const schema = new Schema<SpendingDocument>({ _id: String }, { collection: 'spendings', versionKey: false, strict: false });
// Finds the documents with reservations that were abandoned.
schema.index({ reservedSince: 1 }, { sparse: true });

/** A document as it was before schema 2: all entries in one list. The first write of it brings it to the present form. */
type FormerDocument = Omit<SpendingDocument, 'settled' | 'reserved'> & { entries: Stored<SpendingEntry>[] };

/** A copy, because the driver's bytes are a part of the whole reply. */
const bytesOf = ({ buffer, position }: mongo.Binary): Buffer => Buffer.from(buffer.subarray(0, position));

const entriesOf = (document: SpendingDocument | FormerDocument): SpendingEntry[] =>
  'entries' in document
    ? fromStored<SpendingEntry[]>(document.entries)
    : [...unpackEntries(bytesOf(document.settled)), ...fromStored<SpendingEntry[]>(document.reserved)];

const toSpending = (document: SpendingDocument | FormerDocument): Spending => {
  const { _id, limits, controls, clockAhead, unauthenticated, revision } = document;
  return {
    id: _id,
    ...fromStored<SpendingSettings>({ limits, controls, clockAhead }),
    entries: entriesOf(document),
    ...(unauthenticated === undefined ? {} : { unauthenticated: fromStored<Spending['unauthenticated']>(unauthenticated) }),
    revision,
  };
};

const oldestReservation = (entries: readonly SpendingEntry[]): Date | undefined => {
  const times = entries.flatMap(({ reservations }) => reservations.map(({ at }) => at.getTime()));
  return times.length === 0 ? undefined : new Date(times.reduce((oldest, time) => Math.min(oldest, time)));
};

const toDocument = ({ id, entries, ...rest }: Spending): SpendingDocument => {
  const reserved = entries.filter(({ reservations }) => reservations.length > 0);
  const since = oldestReservation(reserved);
  return {
    _id: id,
    ...toStored(rest),
    settled: new mongo.Binary(packEntries(entries.filter(({ reservations }) => reservations.length === 0))),
    reserved: reserved.map((entry) => toStored(entry)),
    ...(since === undefined ? {} : { reservedSince: since }),
  };
};

/** Spending documents of cards and accounts. They are never deleted. */
export const createSpendingStore = (connection: Connection) => {
  const collection = rawCollection(connection.model<SpendingDocument>('Spending', schema));
  const replace = createBatchedReplaces(collection);
  const read = createBatchedReads(collection);
  const readSettings = createBatchedReads(collection, { projection: { limits: 1, controls: 1, clockAhead: 1 } });

  return {
    find: async (id: string): Promise<Spending | undefined> => {
      const found = await read(id);
      return found === undefined ? undefined : toSpending(found);
    },

    /** Reads what the cardholder has set, without what counts against it. */
    findSettings: async (id: string): Promise<SpendingSettings | undefined> => {
      const found = await readSettings(id);
      if (found === undefined) return undefined;
      const { limits, controls, clockAhead } = found;
      return fromStored<SpendingSettings>({ limits, controls, clockAhead });
    },

    /**
     * Replaces a spending document with its next revision.
     * @returns false if the document has changed since `current`: nothing is written
     */
    save: (current: Spending, next: Spending): Promise<boolean> => replace(toDocument({ ...next, revision: current.revision + 1 })),

    /** Documents with a reservation made before `before`, oldest first. */
    findReserved: async (before: Date, limit: number): Promise<Spending[]> => {
      const filter = { reservedSince: { $lt: before } } as mongo.Filter<SpendingDocument>;
      return (await collection.find(filter).sort({ reservedSince: 1 }).limit(limit).toArray()).map(toSpending);
    },
  };
};

export type SpendingStore = ReturnType<typeof createSpendingStore>;
