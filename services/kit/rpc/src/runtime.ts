import { randomBytes, randomInt } from 'node:crypto';
import { v7 } from 'uuid';

/** A process's sources of time, ids and randomness. Passed in, so that tests can control them. */
export type Runtime = {
  /** Current time. */
  now: () => Date;
  /** A new UUID v7 (RFC 9562, section 5.7): unique, and roughly ordered by time. */
  newId: () => string;
  /** `size` cryptographically secure random bytes. */
  randomBytes: (size: number) => Uint8Array;
  /** A uniformly distributed integer in [min, max). */
  randomInt: (min: number, max: number) => number;
};

/** The runtime of a real process. */
export const systemRuntime: Runtime = {
  now: () => new Date(),
  newId: () => v7(),
  randomBytes: (size) => new Uint8Array(randomBytes(size)),
  randomInt: (min, max) => randomInt(min, max),
};

/** The lowest UUID v7 (RFC 9562, section 5.7) of a millisecond: ids that were made from then on are not below it, as texts. */
export const firstIdAt = (time: Date): string => {
  const hex = Math.max(0, time.getTime()).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
};

/**
 * Derives a UUID v8 (RFC 9562, section 5.8) from the first 16 bytes of a hash, of which it keeps 122 bits. The same hash always gives
 * the same id.
 * @param hash at least 16 bytes
 */
export const uuidV8 = (hash: Uint8Array): string => {
  const bytes = Buffer.from(hash.subarray(0, 16));
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
};
