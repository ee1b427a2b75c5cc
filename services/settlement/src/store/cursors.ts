import { rawCollection } from '@florin/data/store';
import { type Connection, Schema } from 'mongoose';

/** How far a shard of the ledger's journal has been read. */
export type Position = {
  /** Empty: nothing. */
  position: string;
  /** Hash of the block in which it lies. */
  hash: string;
  /** A time before which everything that the journal had then was read. */
  completeAt?: Date | undefined;
};

type Document = { _id: string; n?: number } & Partial<Position>;
const schema = new Schema<Document>({ _id: String }, { collection: 'cursors', versionKey: false, strict: false });

/** A new number has both journals read anew, by which items move to the names that they have now. Cursors of earlier ones (`items`, `ledger/`) stay for an instance that still uses them. */
const NAMING = 2;
const MATCHING = `items-${NAMING}`;
const TELLING = 'unexplained';
const following = (shard: string): string => `ledger-${NAMING}/${shard}`;

/** How far journals have been read. */
export type CursorStore = {
  /** Number of the last block whose records are matched. */
  reached: () => Promise<number>;
  /** Moves it forward. */
  reach: (n: number) => Promise<void>;
  /** Number of the last block whose unexplained movements the card service knows. It is apart from `reached`, which releases without these exceptions move too. */
  toldUpTo: () => Promise<number>;
  /** Moves it forward. */
  tellUpTo: (n: number) => Promise<void>;
  position: (shard: string) => Promise<Position>;
  move: (shard: string, position: Position) => Promise<void>;
  /** A time before which everything that the ledger's journal had then was read, of all shards; undefined while one is not read to its end. */
  completeAt: () => Promise<Date | undefined>;
  /** Records that what was read of a shard is not complete any more. */
  reopen: (shard: string) => Promise<void>;
};

export const createCursorStore = (connection: Connection): CursorStore => {
  const collection = rawCollection(connection.model<Document>('Cursor', schema));
  const numberOf = async (_id: string): Promise<number> => (await collection.findOne({ _id }))?.n ?? 0;
  const raise = async (_id: string, n: number): Promise<void> => {
    await collection.updateOne({ _id }, { $max: { n } }, { upsert: true });
  };
  return {
    reached: () => numberOf(MATCHING),
    reach: (n) => raise(MATCHING, n),
    toldUpTo: () => numberOf(TELLING),
    tellUpTo: (n) => raise(TELLING, n),
    position: async (shard) => {
      const { position = '', hash = '', completeAt } = (await collection.findOne({ _id: following(shard) })) ?? {};
      return { position, hash, completeAt };
    },
    move: async (shard, { position, hash, completeAt }) => {
      const update = { $set: { position, hash }, ...(completeAt === undefined ? {} : { $max: { completeAt } }) };
      await collection.updateOne({ _id: following(shard) }, update, { upsert: true });
    },
    completeAt: async () => {
      const times = (await collection.find({ _id: new RegExp(`^${following('')}`) }).toArray()).map(
        ({ completeAt }) => completeAt?.getTime() ?? 0,
      );
      const earliest = Math.min(...times);
      return times.length === 0 || earliest === 0 ? undefined : new Date(earliest);
    },
    reopen: async (shard) => {
      await collection.updateOne({ _id: following(shard) }, { $unset: { completeAt: '' } });
    },
  };
};
