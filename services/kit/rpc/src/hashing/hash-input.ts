import { createHash } from 'node:crypto';

const canonical = (value: unknown): unknown => {
  // Tagged, so that no two values of different types look alike.
  if (typeof value === 'bigint') return { $bigint: value.toString() };
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return { $date: value.toISOString() };
  if (value instanceof Map || value instanceof Set) throw new TypeError('maps and sets are not hashed');
  if (Array.isArray(value)) return value.map(canonical);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, canonical(item)]),
  );
};

/** SHA-256 (base64url) of a value's content, whatever the order of its keys: tells whether a repeated call asks for the same. */
export const hashInput = (value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(canonical(value)) ?? '')
    .digest('base64url');
