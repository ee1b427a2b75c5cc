import { randomBytes, randomInt } from 'node:crypto';
import { v7 } from 'uuid';

/** What a process takes from the world around it besides the network. Passed in, so that tests can freeze it. */
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

export const systemRuntime: Runtime = {
  now: () => new Date(),
  newId: () => v7(),
  randomBytes: (size) => new Uint8Array(randomBytes(size)),
  randomInt: (min, max) => randomInt(min, max),
};

export { uuidV8 } from './uuid-v8.ts';
