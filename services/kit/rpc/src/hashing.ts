import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';

/**
 * Prepares a value for canonical JSON. Values that JSON does not have are tagged, so that no two values of different types hash alike.
 * Lone surrogates become U+FFFD, as they do in UTF-8: RFC 8785 rejects them, and a caller may send them in JSON.
 */
const tagged = (value: unknown): unknown => {
  if (typeof value === 'bigint') return { $bigint: value.toString() };
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return { $date: value.toISOString() };
  if (value instanceof Map || value instanceof Set) throw new TypeError('a Map or Set cannot be hashed');
  if (Array.isArray(value)) return value.map(tagged);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key.toWellFormed(), tagged(item)]));
};

/**
 * Hashes the content of a value, to tell whether a repeated call has the same input. The order of keys does not matter, and a key whose
 * value is undefined counts as absent.
 * @param value JSON (RFC 8785), bigint and Date at any depth
 * @returns the SHA-256 of the canonical form in base64url, 43 characters
 * @throws TypeError for a Map or a Set
 * @throws Error for NaN, an infinite number or a circular structure
 */
export const hashInput = (value: unknown): string => hash('sha256', canonicalize(tagged(value)) ?? '', 'base64url');
