import { type OutboxEvent, outboxField, outboxIndex } from '@florin/data/outbox';
import { isDuplicateKey } from '@florin/data/store';
import type { Hex } from '@florin/evm/hex';
import { type Connection, type Model, Schema } from 'mongoose';

/** Where the watching of a chain stands: everything up to this block is booked. */
export type Cursor = {
  chainId: number;
  number: number;
  hash: Hex;
  /** Set when the nodes agree on another block of that number: nothing more is booked. */
  haltedAt?: Date;
};

type CursorDocument = Omit<Cursor, 'chainId'> & { _id: string; outbox: OutboxEvent[]; relayed?: number };

const schema = new Schema<CursorDocument>(
  {
    _id: String,
    number: { type: Number, required: true },
    hash: { type: String, required: true },
    haltedAt: Date,
    outbox: outboxField,
  },
  { collection: 'cursors', versionKey: false },
).index(outboxIndex);

const toCursor = ({ _id, number, hash, haltedAt }: CursorDocument): Cursor => ({
  chainId: Number(_id),
  number,
  hash,
  ...(haltedAt === undefined ? {} : { haltedAt }),
});

const exactly = ({ chainId, number, hash }: Cursor) => ({ _id: String(chainId), number, hash, haltedAt: { $exists: false } });

/** One document per chain. Each change is conditional on what was read, so that of two processes one advances it. */
export type CursorStore = {
  find: (chainId: number) => Promise<Cursor | undefined>;
  /** Inserts the first cursor of a chain unless there is one. @returns the stored one */
  begin: (cursor: Cursor) => Promise<Cursor>;
  /** @returns false if the cursor is not where it was read, or was halted */
  advance: (from: Cursor, to: Pick<Cursor, 'number' | 'hash'>) => Promise<boolean>;
  /** Stops the chain where it stands, with an event. @returns false if the cursor is not where it was read, or was halted */
  halt: (at: Cursor, event: OutboxEvent) => Promise<boolean>;
  /** Puts a halted cursor elsewhere and lets the watching go on, with an event. @returns false if it is not halted where it was read */
  resume: (halted: Cursor, to: Pick<Cursor, 'number' | 'hash'>, event: OutboxEvent) => Promise<boolean>;
  /** For the outbox relay. */
  model: Model<CursorDocument>;
};

export const createCursorStore = (connection: Connection): CursorStore => {
  const model = connection.model<CursorDocument>('Cursor', schema);
  const find = async (chainId: number): Promise<Cursor | undefined> => {
    const found = await model.findById(String(chainId)).lean<CursorDocument>();
    return found === null ? undefined : toCursor(found);
  };
  return {
    model,
    find,
    begin: async ({ chainId, number, hash }) => {
      try {
        await model.create({ _id: String(chainId), number, hash, outbox: [] });
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
      const stored = await find(chainId);
      if (stored === undefined) throw new Error('a cursor that was inserted is gone');
      return stored;
    },
    advance: async (from, { number, hash }) => (await model.updateOne(exactly(from), { $set: { number, hash } })).modifiedCount === 1,
    halt: async (at, event) =>
      (await model.updateOne(exactly(at), { $set: { haltedAt: event.at }, $push: { outbox: event } })).modifiedCount === 1,
    resume: async ({ chainId, number, hash }, to, event) => {
      const { modifiedCount } = await model.updateOne(
        { _id: String(chainId), number, hash, haltedAt: { $exists: true } },
        { $set: { number: to.number, hash: to.hash }, $unset: { haltedAt: 1 }, $push: { outbox: event } },
      );
      return modifiedCount === 1;
    },
  };
};
