import { isDuplicateKey, LATEST, PROVEN, rawCollection } from '@florin/data/store';
import { type Connection, type mongo, Schema } from 'mongoose';
import { type Balance, type Block, type BookedRecord, type Close, EMPTY, type Head, sumsOf } from '../domain/block.ts';
import { parse } from '../domain/record.ts';

type Stored<T> = Omit<T, 'amount'> & { amount: string };
type Sum = Balance & { day: string };
type Document = Omit<Block, 'n' | 'close'> & {
  _id: number;
  /** The changes that the records make, by day, so that nobody has to read them to add them up. */
  sums: Stored<Sum>[];
  close?: Omit<Close, 'balances'> & { balances: Stored<Balance>[] };
};

const schema = new Schema<Document>({ _id: Number }, { collection: 'blocks', versionKey: false, strict: false })
  .index({ 'records.key': 1 })
  .index({ 'sums.day': 1, _id: 1 })
  .index({ 'close.day': 1 }, { sparse: true });

const toStored = <T extends Balance>(balances: readonly T[]) => balances.map((one) => ({ ...one, amount: String(one.amount) }));
const fromStored = <T extends { amount: string }>(balances: readonly T[]) =>
  balances.map((one) => ({ ...one, amount: BigInt(one.amount) }));

const toBlock = ({ _id, sums: _sums, close, ...rest }: Document): Block => ({
  ...rest,
  n: _id,
  ...(close === undefined ? {} : { close: { ...close, balances: fromStored(close.balances) } }),
});

/** A block that closes days. */
export type ClosingBlock = Block & { close: Close };

const isClosing = (block: Block): block is ClosingBlock => block.close !== undefined;

/**
 * The journal. The number of a block is its `_id`: of two writers of the same number, one wins.
 *
 * The end is what a majority has, so that nobody is told of a block that a failover takes back. All blocks before it are as durable as it is, and are read as LATEST.
 */
export type BlockStore = {
  /** @returns false if there is a block of that number, which a majority then has */
  insert: (block: Block) => Promise<boolean>;
  head: () => Promise<Head>;
  /** The record that is booked under each key, in blocks up to a number and perhaps after it. One that is found is durable. */
  findRecords: (keys: readonly string[]) => Promise<Map<string, BookedRecord>>;
  /** Blocks after a number, up to another one, with records on days after one and up to another one, in their order. Read one after the other. */
  ofDays: (days: { after: string; upTo: string }, numbers: { after: number; upTo: number }) => AsyncIterable<Block>;
  /** The changes that the blocks up to a number make on days after one and up to another one. */
  sumsOfDays: (days: { after: string; upTo: string }, numbers: { after: number; upTo: number }) => AsyncIterable<Balance>;
  /** The close that a day is in; undefined while it is open. */
  closeOf: (day: string) => Promise<ClosingBlock | undefined>;
  /** Up to `limit` closes of days before one, latest day first; of all days without one. */
  closes: (limit: number, before?: string) => Promise<{ day: string; at: Date; records: number }[]>;
  /** The next blocks after a number, at most `limit`, without those that only a failover may take back. */
  after: (n: number, limit: number) => Promise<Block[]>;
  /** The first blocks with a clearing, at most `limit`. */
  withClearings: (limit: number) => Promise<Block[]>;
};

export const createBlockStore = (connection: Connection): BlockStore => {
  const collection = rawCollection(connection.model<Document>('Block', schema));
  const find = async (keys: readonly string[], options: mongo.FindOptions): Promise<Map<string, BookedRecord>> => {
    const asked = new Set(keys);
    const found = await collection.find({ 'records.key': { $in: [...keys] } }, { ...options, projection: { records: 1 } }).toArray();
    return new Map(found.flatMap(({ records }) => records.filter(({ key }) => asked.has(key)).map((record) => [record.key, record])));
  };
  const filterOf = (days: { after: string; upTo: string }, numbers: { after: number; upTo: number }) => ({
    _id: { $gt: numbers.after, $lte: numbers.upTo },
    sums: { $elemMatch: { day: { $gt: days.after, $lte: days.upTo } } },
  });
  return {
    insert: async ({ n, close, ...block }) => {
      const records = block.records.map(({ day, line }) => ({ day, record: parse(line) }));
      const stored = close === undefined ? {} : { close: { ...close, balances: toStored(close.balances) } };
      try {
        await collection.insertOne({ _id: n, ...block, ...stored, sums: toStored(sumsOf(records)) });
        return true;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        return false;
      }
    },

    head: async () => {
      const [found] = await collection
        .find({}, { projection: { hash: 1, closedDay: 1 } })
        .sort({ _id: -1 })
        .limit(1)
        .toArray();
      return found === undefined ? EMPTY : { n: found._id, hash: found.hash, closedDay: found.closedDay };
    },

    findRecords: async (keys) => {
      const found = await find(keys, LATEST);
      return found.size === 0 ? found : find(keys, PROVEN);
    },

    ofDays: async function* (days, numbers) {
      const cursor = collection.find(filterOf(days, numbers), { ...LATEST, batchSize: 20 }).sort({ _id: 1 });
      for await (const document of cursor) {
        const block = toBlock(document);
        yield { ...block, records: block.records.filter(({ day }) => day > days.after && day <= days.upTo) };
      }
    },

    sumsOfDays: async function* (days, numbers) {
      const cursor = collection.find(filterOf(days, numbers), { ...LATEST, projection: { sums: 1 } });
      for await (const { sums } of cursor)
        for (const { day, account, currency, amount } of sums)
          if (day > days.after && day <= days.upTo) yield { account, currency, amount: BigInt(amount) };
    },

    closeOf: async (day) => {
      const [found] = await collection
        .find({ 'close.day': { $gte: day } })
        .sort({ 'close.day': 1 })
        .limit(1)
        .toArray();
      const block = found && toBlock(found);
      return block !== undefined && isClosing(block) ? block : undefined;
    },

    closes: async (limit, before) => {
      const isBefore = before === undefined ? { $exists: true } : { $lt: before };
      const found = collection.find({ 'close.day': isBefore }, { projection: { at: 1, 'close.day': 1, 'close.records': 1 } });
      const documents = await found.sort({ 'close.day': -1 }).limit(limit).toArray();
      return documents.flatMap(({ at, close }) => (close === undefined ? [] : [{ day: close.day, at, records: close.records }]));
    },

    after: async (n, limit) =>
      (
        await collection
          .find({ _id: { $gt: n } })
          .sort({ _id: 1 })
          .limit(limit)
          .toArray()
      ).map(toBlock),

    withClearings: async (limit) => {
      const found = collection.find({ 'records.line': /^\["clearing"/ }).sort({ _id: 1 });
      return (await found.limit(limit).toArray()).map(toBlock);
    },
  };
};
