import { hash } from 'node:crypto';
import { TooManyError } from './source.ts';

/**
 * Ids by their fingerprints (64 bits of SHA-256), at most 24 bytes each. That two of 10,000,000 share one has a probability of
 * 3 in 1,000,000. @returns a function that adds an id and returns whether it is new. @throws TooManyError
 */
export const createIdSet = (limit: number) => {
  let table = new BigUint64Array(1024);
  let size = 0;
  const put = (into: BigUint64Array, print: bigint): boolean => {
    let slot = Number(print % BigInt(into.length));
    for (; into[slot] !== 0n; slot = (slot + 1) % into.length) if (into[slot] === print) return false;
    into[slot] = print;
    return true;
  };
  return (id: string): boolean => {
    if (size >= limit) throw new TooManyError();
    if (size * 3 > table.length * 2) {
      const larger = new BigUint64Array(table.length * 2);
      for (const print of table) if (print !== 0n) put(larger, print);
      table = larger;
    }
    const added = put(table, hash('sha256', id, 'buffer').readBigUInt64LE() || 1n);
    if (added) size += 1;
    return added;
  };
};
