import { hash, randomBytes, randomInt } from 'node:crypto';
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
  /** Factor of the deadlines of calls to other services: 1 in processes, more in tests, which share their machine. */
  patience: number;
};

/** The runtime of a real process. */
export const systemRuntime: Runtime = {
  now: () => new Date(),
  newId: () => v7(),
  randomBytes: (size) => new Uint8Array(randomBytes(size)),
  randomInt: (min, max) => randomInt(min, max),
  patience: 1,
};

/** The lowest UUID v7 (RFC 9562, section 5.7) of a millisecond: ids that were made from then on are not below it, as texts. */
export const firstIdAt = (time: Date): string => {
  const hex = Math.max(0, time.getTime()).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
};

/** The variant's two bits before two bits of the hash. */
const VARIANTS = '89ab';

/**
 * Derives a UUID v8 (RFC 9562, section 5.8) from a text: 122 bits of its SHA-256. The same text always gives the same id.
 * @param text what the id stands for, with a name of the purpose: different purposes must not have the same texts
 */
export const derivedId = (text: string): string => {
  const hex = hash('sha256', text);
  const variant = VARIANTS.charAt(Number.parseInt(hex.charAt(16), 16) & 3);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};
