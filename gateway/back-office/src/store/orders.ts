import { isDuplicateKey } from '@florin/data/store';
import { type Connection, type Model, Schema, type SchemaDefinition } from 'mongoose';
import type { HaltPreview, OrderStatus } from '../contract/index.ts';

/** An order that one operator gives and another approves. */
export type StoredOrder = {
  /** The id of the action that ordered it. */
  _id: string;
  /** A pending order that has expired stays stored as it is. */
  status: Exclude<OrderStatus, 'expired'>;
  reason: string;
  /** The actor who ordered it, as the services know operators. */
  actor: string;
  createdAt: Date;
  expiresAt: Date;
  /** The actor who approved or rejected it, or tried to approve what had failed. */
  decidedBy?: string;
  failureCode?: string;
};

/** An order that lets a halted chain go on. */
export type StoredHaltOrder = StoredOrder & { chainId: number; fromBlock: string; preview: HaltPreview };

/** An order that an account gets a successor. */
export type StoredReplacementOrder = StoredOrder & { userId: string; accountId: string };

const text = { type: String, required: true } as const;
const time = { type: Date, required: true } as const;

type ClosedOrder = { decidedBy: string } & ({ status: 'rejected' } | { status: 'failed'; failureCode: string });

/** The orders that wait for a second operator. */
const waitsAt = (now: Date) => ({ status: 'pending' as const, expiresAt: { $gt: now } });

/** Orders of one kind. One write decides each of them. */
const createOrderStore = <Order extends StoredOrder>(connection: Connection, name: string, collection: string, own: SchemaDefinition) => {
  const schema = new Schema(
    {
      _id: String,
      ...own,
      status: text,
      reason: text,
      actor: text,
      createdAt: time,
      expiresAt: time,
      decidedBy: String,
      failureCode: String,
    },
    { collection, versionKey: false, minimize: false },
  );
  schema.index({ createdAt: -1 });
  const model = connection.model(name, schema) as unknown as Model<StoredOrder>;
  return {
    /** Stores an order; one that is stored already stays as it is. */
    insert: async (order: Order): Promise<void> => {
      try {
        await model.create(order);
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
    },
    find: (id: string): Promise<Order | null> => model.findById(id).lean<Order>(),
    /** Newest first: all of them, or those with these values. */
    list: (limit: number, having: Partial<Order> = {}): Promise<Order[]> =>
      model
        .find(having as Partial<StoredOrder>)
        .sort({ createdAt: -1 })
        .limit(limit)
        .lean<Order[]>(),
    /** Those that wait for a second operator at `now`, oldest first. */
    waiting: (limit: number, now: Date): Promise<Order[]> => model.find(waitsAt(now)).sort({ createdAt: 1 }).limit(limit).lean<Order[]>(),
    /**
     * Approves an order that waits at `now`; one that this operator has approved already stays approved.
     * @returns null when it was decided otherwise, by somebody else, has expired, or this operator has ordered it
     */
    approve: (id: string, approver: string, now: Date): Promise<Order | null> =>
      model
        .findOneAndUpdate(
          { _id: id, actor: { $ne: approver }, $or: [waitsAt(now), { status: 'approved', decidedBy: approver }] },
          { $set: { status: 'approved', decidedBy: approver } },
          { returnDocument: 'after' },
        )
        .lean<Order>(),
    /** Ends an order that waits at `now` without anything done. @returns whether it did */
    close: async (id: string, end: ClosedOrder, now: Date): Promise<boolean> =>
      (await model.updateOne({ _id: id, ...waitsAt(now) }, { $set: end })).modifiedCount === 1,
    /** Ends an approved order that the service has refused for good. */
    failed: async (id: string, failureCode: string): Promise<void> => {
      await model.updateOne({ _id: id, status: 'approved' }, { $set: { status: 'failed', failureCode } });
    },
    /** Ends an approved order that was carried out, also by an attempt beside one that was refused. */
    resolved: async (id: string): Promise<void> => {
      const decided = { _id: id, status: { $in: ['approved' as const, 'failed' as const] } };
      await model.updateOne(decided, { $set: { status: 'resolved' }, $unset: { failureCode: '' } });
    },
  };
};

/** Orders that let halted chains go on. */
export const createHaltOrderStore = (connection: Connection) =>
  createOrderStore<StoredHaltOrder>(connection, 'HaltOrder', 'halt_orders', {
    chainId: { type: Number, required: true },
    fromBlock: text,
    preview: { type: Schema.Types.Mixed, required: true },
  });

/** Orders that people get another account. */
export const createReplacementOrderStore = (connection: Connection) =>
  createOrderStore<StoredReplacementOrder>(connection, 'ReplacementOrder', 'replacement_orders', {
    userId: { ...text, index: true },
    accountId: text,
  });

export type OrderStore<Order extends StoredOrder> = ReturnType<typeof createOrderStore<Order>>;
export type HaltOrderStore = OrderStore<StoredHaltOrder>;
export type ReplacementOrderStore = OrderStore<StoredReplacementOrder>;
