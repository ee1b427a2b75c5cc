import type { Cursor, Source } from '../audit/source.ts';
import { type ShardAudit, verifyShard as verifySource } from '../audit/verify-shard.ts';
import type { MemoryStores } from './memory-stores.ts';

type Row = Record<string, unknown>;
type Condition = { $in?: readonly unknown[]; $ne?: unknown; $regex?: string; $gt?: number; $gte?: number; $lt?: number; $lte?: number };

const meets = (value: unknown, condition: unknown): boolean => {
  if (typeof condition !== 'object' || condition === null) return value === condition;
  const {
    $in,
    $gt = Number.NEGATIVE_INFINITY,
    $gte = Number.NEGATIVE_INFINITY,
    $lt = Number.POSITIVE_INFINITY,
    $lte = $lt,
  } = condition as Condition;
  if ($in !== undefined) return $in.includes(value);
  const { $ne, $regex } = condition as Condition;
  if ($ne !== undefined) return value !== $ne;
  if ($regex !== undefined) return new RegExp($regex).test(String(value));
  const number = Number(value);
  return number > $gt && number >= $gte && number < $lt + Number($lt === Number.POSITIVE_INFINITY) && number <= $lte;
};

const select = (rows: readonly Row[], filter: object): Row[] =>
  rows.filter((row) => Object.entries(filter).every(([key, condition]) => meets(row[key], condition)));

const cursorOf = (rows: Row[]): Cursor => ({
  sort: (order) => {
    const [[key, direction] = ['', 1]] = Object.entries(order);
    return cursorOf(rows.toSorted((a, b) => (Number(a[key]) - Number(b[key])) * Number(direction)));
  },
  batchSize: () => cursorOf(rows),
  [Symbol.asyncIterator]: async function* () {
    yield* rows;
  },
});

/** Audits a shard that lives in memory stores. */
export const verifyShard = ({ shard, documents }: { shard: string } & Pick<MemoryStores, 'documents'>): Promise<ShardAudit> => {
  const source: Source = {
    collection: (name) => ({
      find: (filter) => cursorOf(select(documents(name), filter)),
      countDocuments: async (filter) => select(documents(name), filter).length,
    }),
  };
  return verifySource({ source, shard, heads: [], trusted: [], limits: { maxAccounts: 100_000, maxIds: 1_000_000 } });
};
