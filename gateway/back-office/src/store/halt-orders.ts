import { isDuplicateKey } from '@florin/data/store';
import { type Connection, Schema } from 'mongoose';
import type { HaltOrder, HaltPreview } from '../contract/index.ts';

/** An order that lets a halted chain go on. */
export type StoredHaltOrder = {
  /** The id of the action that ordered it. */
  _id: string;
  chainId: number;
  fromBlock: string;
  /** A pending order that has expired stays stored as it is. */
  status: Exclude<HaltOrder['status'], 'expired'>;
  preview: HaltPreview;
  reason: string;
  /** The actor who ordered it, as the services know operators. */
  actor: string;
  createdAt: Date;
  expiresAt: Date;
  /** The actor who approved or rejected it, or tried to approve what had failed. */
  decidedBy?: string;
  failureCode?: string;
};

const text = { type: String, required: true } as const;
const time = { type: Date, required: true } as const;

const schema = new Schema<StoredHaltOrder>(
  {
    _id: String,
    chainId: { type: Number, required: true },
    fromBlock: text,
    status: text,
    preview: { type: Schema.Types.Mixed, required: true },
    reason: text,
    actor: text,
    createdAt: time,
    expiresAt: time,
    decidedBy: String,
    failureCode: String,
  },
  { collection: 'halt_orders', versionKey: false, minimize: false },
);
schema.index({ createdAt: -1 });

type ClosedOrder = { decidedBy: string } & ({ status: 'rejected' } | { status: 'failed'; failureCode: string });

/** The orders that wait for a second operator. */
const waitsAt = (now: Date) => ({ status: 'pending' as const, expiresAt: { $gt: now } });

/** Orders that let halted chains go on. One write decides each of them. */
export const createHaltOrderStore = (connection: Connection) => {
  const model = connection.model<StoredHaltOrder>('HaltOrder', schema);
  return {
    /** Stores an order; one that is stored already stays as it is. */
    insert: async (order: StoredHaltOrder): Promise<void> => {
      try {
        await model.create(order);
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
    },
    find: (id: string): Promise<StoredHaltOrder | null> => model.findById(id).lean(),
    /** Newest first. */
    list: (limit: number): Promise<StoredHaltOrder[]> => model.find().sort({ createdAt: -1 }).limit(limit).lean(),
    /** Those that wait for a second operator at `now`, oldest first. */
    waiting: (limit: number, now: Date): Promise<StoredHaltOrder[]> =>
      model.find(waitsAt(now)).sort({ createdAt: 1 }).limit(limit).lean<StoredHaltOrder[]>(),
    /**
     * Approves an order that waits at `now`; one that this operator has approved already stays approved.
     * @returns null when it was decided otherwise, by somebody else, has expired, or this operator has ordered it
     */
    approve: (id: string, approver: string, now: Date): Promise<StoredHaltOrder | null> =>
      model
        .findOneAndUpdate(
          { _id: id, actor: { $ne: approver }, $or: [waitsAt(now), { status: 'approved', decidedBy: approver }] },
          { $set: { status: 'approved', decidedBy: approver } },
          { returnDocument: 'after' },
        )
        .lean<StoredHaltOrder>(),
    /** Ends an order that waits at `now` without anything done. @returns whether it did */
    close: async (id: string, end: ClosedOrder, now: Date): Promise<boolean> =>
      (await model.updateOne({ _id: id, ...waitsAt(now) }, { $set: end })).modifiedCount === 1,
    /** Ends an approved order that was carried out. */
    resolved: async (id: string): Promise<void> => {
      await model.updateOne({ _id: id, status: 'approved' }, { $set: { status: 'resolved' } });
    },
  };
};

export type HaltOrderStore = ReturnType<typeof createHaltOrderStore>;
