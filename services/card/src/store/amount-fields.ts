/**
 * Amounts are bigints in the domain and decimal strings in documents, because no number type of the engine holds every amount. Every field with
 * one of these names is an amount, at any depth.
 */
const AMOUNT_FIELDS: ReadonlySet<string> = new Set([
  'amount',
  'billing',
  'markup',
  'overTolerance',
  'held',
  'cleared',
  'refunded',
  'refundedElsewhere',
  'pendingCredit',
  'releasedEarly',
  'overCleared',
  'fromHold',
  'cashBack',
  'cash',
  'provisionalCredit',
  'credited',
  'formerAmount',
  'wonAmount',
  'standingCredit',
  'originalAmount',
  'suspended',
  'perTransaction',
  'daily',
  'weekly',
  'monthly',
  'atm',
]);

/** A domain value as it is stored. */
export type Stored<T> = T extends bigint
  ? string
  : T extends Date
    ? Date
    : T extends readonly (infer E)[]
      ? Stored<E>[]
      : T extends object
        ? { [K in keyof T]: Stored<T[K]> }
        : T;

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !(value instanceof Date) && !Array.isArray(value);

/** Encodes amounts as strings, and leaves undefined fields out. */
export const toStored = <T>(value: T): Stored<T> => {
  const encode = (item: unknown): unknown => {
    if (typeof item === 'bigint') return item.toString();
    if (Array.isArray(item)) return item.map(encode);
    if (!isPlain(item)) return item;
    return Object.fromEntries(Object.entries(item).flatMap(([key, field]) => (field === undefined ? [] : [[key, encode(field)]])));
  };
  return encode(value) as Stored<T>;
};

/** Decodes amounts. */
export const fromStored = <T>(value: Stored<T>): T => {
  const decode = (item: unknown, key: string): unknown => {
    if (typeof item === 'string') return AMOUNT_FIELDS.has(key) ? BigInt(item) : item;
    if (Array.isArray(item)) return item.map((one: unknown) => decode(one, key));
    if (!isPlain(item)) return item;
    return Object.fromEntries(Object.entries(item).map(([name, field]) => [name, decode(field, name)]));
  };
  return decode(value, '') as T;
};
