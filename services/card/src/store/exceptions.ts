import { createBatchedInserts, rawCollection } from '@florin/data/store';
import type { Amount } from '@florin/rpc/money';
import { type Connection, type mongo, Schema } from 'mongoose';
import type { Exception, ExceptionKind, ExceptionStatus, NewException, Resolution } from '../domain/exception.ts';
import { fromStored, type Stored, toStored } from './amount-fields.ts';
import type { Stamp } from './outbox-event.ts';

type ExceptionDocument = Stored<Omit<Exception, 'id'>> & {
  _id: string;
  /** UUID v7 of the first write: lists are sorted by it. */
  listId: string;
  /** Present until the ledger has booked what is in suspense: since when. */
  unbookedSince?: Date;
};

/** An exception in a list, with its position. */
export type ListedException = Exception & { listId: string };

export type ExceptionQuery = {
  status: ExceptionStatus;
  /** Empty: all. */
  kinds?: readonly ExceptionKind[];
  after?: string | undefined;
  limit: number;
};

const schema = new Schema<ExceptionDocument>({ _id: String }, { collection: 'exceptions', versionKey: false, strict: false });
schema.index({ status: 1, listId: 1 });
schema.index({ status: 1, kind: 1, listId: 1 });
// The sweeper's query.
schema.index({ unbookedSince: 1 }, { sparse: true });

const toException = ({ _id, unbookedSince: _since, ...rest }: ExceptionDocument): ListedException => ({
  id: _id,
  ...fromStored<Omit<ListedException, 'id'>>(rest),
});

/** Exceptions of the card network. They are never deleted. */
export const createExceptionStore = (connection: Connection, stamp: Stamp) => {
  const collection = rawCollection(connection.model<ExceptionDocument>('Exception', schema));
  const insert = createBatchedInserts(collection);

  const find = async (id: string): Promise<Exception | undefined> => {
    const found = await collection.findOne({ _id: id });
    return found === null ? undefined : toException(found);
  };

  return {
    find,

    /** Stores an exception, unless it is stored already. @returns true if this call has stored it */
    raise: ({ id, ...exception }: NewException): Promise<boolean> => {
      const now = stamp.now();
      const { suspended = 0n } = exception;
      return insert({
        _id: id,
        ...toStored({ ...exception, status: 'open' as const, createdAt: now }),
        listId: stamp.newId(),
        ...(suspended === 0n ? {} : { unbookedSince: now }),
      });
    },

    /**
     * Records what a later report makes of the amount that is in suspense for a single message, once.
     * @param next what is in suspense after the report
     * @returns by how much the report changes it
     */
    change: async (id: string, eventId: string, next: (standing: Amount) => Amount): Promise<Amount> => {
      for (;;) {
        const { suspended = 0n, changes = [] } = (await find(id)) ?? {};
        const known = changes.find((change) => change.eventId === eventId);
        if (known !== undefined) return known.amount;
        const standing = changes.reduce((sum, { amount }) => sum + amount, suspended);
        const change = { eventId, amount: next(standing) - standing };
        const unchanged = { _id: id, changes: changes.length === 0 ? { $exists: false } : { $size: changes.length } };
        const pushed = { $push: { changes: toStored(change) } } as mongo.UpdateFilter<ExceptionDocument>;
        const { modifiedCount } = await collection.updateOne(unchanged as mongo.Filter<ExceptionDocument>, pushed);
        if (modifiedCount === 1) return change.amount;
      }
    },

    /** Up to `limit` exceptions, oldest first. */
    page: async ({ status, kinds = [], after, limit }: ExceptionQuery): Promise<ListedException[]> => {
      const filter = {
        status,
        ...(kinds.length === 0 ? {} : { kind: { $in: [...kinds] } }),
        ...(after === undefined ? {} : { listId: { $gt: after } }),
      };
      const found = await collection
        .find(filter as mongo.Filter<ExceptionDocument>)
        .sort({ listId: 1 })
        .limit(limit)
        .toArray();
      return found.map(toException);
    },

    /** Up to `limit` exceptions of reports in suspense, resolved ones included, that were raised since a time, by id. @param after the id below which they were read before */
    pageOfSuspended: async (since: Date | undefined, after: string | undefined, limit: number): Promise<Exception[]> => {
      const filter = {
        suspended: { $exists: true },
        ...(after === undefined ? {} : { _id: { $gt: after } }),
        ...(since === undefined ? {} : { createdAt: { $gte: since } }),
      };
      const found = await collection
        .find(filter as mongo.Filter<ExceptionDocument>)
        .sort({ _id: 1 })
        .limit(limit)
        .toArray();
      return found.map(toException);
    },

    /** Ends an open exception. @returns the exception as it stands, whoever has ended it */
    resolve: async (id: string, resolution: Resolution): Promise<Exception | undefined> => {
      const ended = { $set: { status: 'resolved', resolution } } as mongo.UpdateFilter<ExceptionDocument>;
      await collection.updateOne({ _id: id, status: 'open' } as mongo.Filter<ExceptionDocument>, ended);
      return find(id);
    },

    /** Exceptions whose amount is not in suspense yet since before a time, oldest first. */
    findUnbooked: async (before: Date, limit: number): Promise<Exception[]> => {
      const filter = { unbookedSince: { $lt: before } } as mongo.Filter<ExceptionDocument>;
      return (await collection.find(filter).sort({ unbookedSince: 1 }).limit(limit).toArray()).map(toException);
    },

    confirmBooked: async (id: string): Promise<void> => {
      await collection.updateOne({ _id: id }, { $unset: { unbookedSince: '' } } as mongo.UpdateFilter<ExceptionDocument>);
    },
  };
};

export type ExceptionStore = ReturnType<typeof createExceptionStore>;
