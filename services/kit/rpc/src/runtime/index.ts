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

export { firstIdAt } from './first-id-at.ts';
export { uuidV8 } from './uuid-v8.ts';
