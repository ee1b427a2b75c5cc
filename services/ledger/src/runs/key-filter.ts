import { ENTRY_KEY_BITS } from '../domain/keys.ts';

/**
 * Tells by one look at memory that a key (`entryKey`) is new: a Bloom filter whose bits for a key stand side by side. The table of a run takes two
 * looks, and a journal has many runs. Blocks are in the order of keys, so that keys in that order, as a run has them, are added fast.
 */
export type KeyFilter = {
  add: (keys: Float64Array) => void;
  /** Reports whether the key may have been added; of others about one in 200 seems so. */
  has: (key: number) => boolean;
  /** Keys that were added. */
  size: () => number;
  /** Keys that it takes before others seem to be in it more often. */
  capacity: number;
};

/** A key has one bit in each of a block's words. */
const WORDS_PER_BLOCK = 8;
const BITS_PER_KEY = 12;
const KEYS_PER_BLOCK = (32 * WORDS_PER_BLOCK) / BITS_PER_KEY;

/** Odd factors, one per word: the first five bits of a product choose the bit. */
const FACTORS = Int32Array.of(0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31);

const bitOf = (key: number, word: number): number => 1 << (Math.imul(key, FACTORS[word] ?? 1) >>> 27);

export const createKeyFilter = (capacity: number): KeyFilter => {
  const blocks = Math.ceil(capacity / KEYS_PER_BLOCK);
  const words = new Int32Array(blocks * WORDS_PER_BLOCK);
  const share = blocks / 2 ** ENTRY_KEY_BITS;
  let size = 0;
  return {
    capacity,
    add: (keys) => {
      for (const key of keys) {
        const start = Math.floor(key * share) * WORDS_PER_BLOCK;
        for (let word = 0; word < WORDS_PER_BLOCK; word += 1) words[start + word] = (words[start + word] ?? 0) | bitOf(key, word);
      }
      size += keys.length;
    },
    has: (key) => {
      const start = Math.floor(key * share) * WORDS_PER_BLOCK;
      for (let word = 0; word < WORDS_PER_BLOCK; word += 1) if (((words[start + word] ?? 0) & bitOf(key, word)) === 0) return false;
      return true;
    },
    size: () => size,
  };
};
