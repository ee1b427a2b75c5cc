import { isDuplicateKey } from '@florin/data/store';
import { type Connection, Schema } from 'mongoose';
import type { Erasure, ErasureStep } from '../domain/erasure.ts';

type Document = Omit<Erasure, 'userId'> & {
  _id: string;
  /** When the sweeper acts next; absent once everything is done. */
  dueAt?: Date | undefined;
};

const schema = new Schema<Document>(
  {
    _id: String,
    step: { type: String, required: true },
    attempt: { type: String, required: true },
    includeBlocked: { type: Boolean, required: true },
    requestedAt: { type: Date, required: true },
    erasedAt: Date,
    releaseAt: Date,
    dueAt: Date,
  },
  { collection: 'erasures', versionKey: false },
);
schema.index({ dueAt: 1 }, { sparse: true });

/** Erasures, one document per user; its `_id` is the user's id. */
export type ErasureStore = {
  find: (userId: string) => Promise<Erasure | undefined>;
  /** Starts an erasure, or takes over one that is only requested. Returns the stored one. @param dueAt when it counts as left behind */
  begin: (erasure: Erasure, dueAt: Date) => Promise<Erasure>;
  /** Removes a request that this attempt made, or took over. */
  withdraw: (userId: string, attempt: string) => Promise<void>;
  /** Moves an erasure to a step, from the step before it. */
  advance: (seen: Erasure, to: ErasureStep, dueAt: Date | undefined, dates?: Pick<Erasure, 'erasedAt' | 'releaseAt'>) => Promise<void>;
  /** Erasures that are due, the oldest first, at most `limit`. Each is postponed, so that another replica does not take it, too. */
  takeDue: (now: Date, postponeTo: Date, limit: number) => Promise<Erasure[]>;
};

const toErasure = ({ _id, dueAt: _due, ...erasure }: Document): Erasure => ({ userId: _id, ...erasure });

export const createErasureStore = (connection: Connection): ErasureStore => {
  const model = connection.model<Document>('Erasure', schema);
  const find: ErasureStore['find'] = async (userId) => {
    const found = await model.findById(userId).lean();
    return found === null ? undefined : toErasure(found);
  };
  return {
    find,
    begin: async (erasure, dueAt) => {
      const { userId, attempt, includeBlocked, ...rest } = erasure;
      try {
        await model.create({ _id: userId, attempt, includeBlocked, ...rest, dueAt });
        return erasure;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
      await model.updateOne(
        { _id: userId, step: 'requested' },
        { $set: { attempt, dueAt, ...(includeBlocked ? { includeBlocked } : {}) } },
      );
      const existing = await find(userId);
      // The other attempt withdrew it between the two calls.
      if (existing === undefined) throw new Error('the request was withdrawn at the same time');
      return existing;
    },
    withdraw: async (userId, attempt) => {
      await model.deleteOne({ _id: userId, attempt, step: 'requested' satisfies ErasureStep });
    },
    advance: async ({ userId, step }, to, dueAt, dates = {}) => {
      await model.updateOne(
        { _id: userId, step },
        {
          $set: { ...dates, step: to, ...(dueAt === undefined ? {} : { dueAt }) },
          ...(dueAt === undefined ? { $unset: { dueAt: 1 } } : {}),
        },
      );
    },
    takeDue: async (now, postponeTo, limit) => {
      const due = await model
        .find({ dueAt: { $lte: now } })
        .sort({ dueAt: 1 })
        .limit(limit)
        .lean();
      const taken: Erasure[] = [];
      for (const { _id, dueAt } of due) {
        const mine = await model
          .findOneAndUpdate({ _id, dueAt: dueAt ?? null }, { $set: { dueAt: postponeTo } }, { returnDocument: 'after' })
          .lean();
        if (mine !== null) taken.push(toErasure(mine));
      }
      return taken;
    },
  };
};
