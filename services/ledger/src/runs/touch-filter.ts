import { touchHashes } from '../domain/keys.ts';

/** A Bloom filter of the accounts and tokens that a run's rows touch: about 1 % of the others seem to be in it as well. */
export type TouchFilter = Uint8Array;

const BITS_PER_TOUCH = 10;
const PROBES = 5;

export const createTouchFilter = (touches: number): TouchFilter => new Uint8Array(Math.max(8, Math.ceil((touches * BITS_PER_TOUCH) / 8)));

/** Places of a touch in a filter, by double hashing. */
const placesOf = (filter: TouchFilter, accountId: string, token: string): number[] => {
  const [one, two] = touchHashes(accountId, token);
  const size = filter.length * 8;
  return Array.from({ length: PROBES }, (_, probe) => (one + probe * ((two | 1) >>> 0)) % size);
};

export const addTouch = (filter: TouchFilter, accountId: string, token: string): void => {
  for (const place of placesOf(filter, accountId, token)) filter[place >>> 3] = (filter[place >>> 3] ?? 0) | (1 << (place & 7));
};

/** Reports whether rows of the account in the token may be in the run. */
export const mayTouch = (filter: TouchFilter, accountId: string, token: string): boolean =>
  placesOf(filter, accountId, token).every((place) => ((filter[place >>> 3] ?? 0) & (1 << (place & 7))) !== 0);
