import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ENTRY_KEY_BITS, entryKey } from '../domain/keys.ts';
import { createKeyFilter } from './key-filter.ts';

const LAST_KEY = 2 ** ENTRY_KEY_BITS - 1;

/** Keys of ids that follow each other, as callers with a counter make them. */
const keysOfIds = (from: number, count: number): Float64Array =>
  Float64Array.from({ length: count }, (_, index) => entryKey(`0198a1b2-3c4d-7e5f-8a9b-${(from + index).toString(16).padStart(12, '0')}`));

describe('the filter of keys', () => {
  it('has every key that was added, the first and the last possible one among them, also beyond its capacity', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: LAST_KEY }), { maxLength: 500 }),
        fc.integer({ min: 1, max: 100 }),
        (some, capacity) => {
          const filter = createKeyFilter(capacity);
          const keys = [...some, 0, LAST_KEY];
          filter.add(Float64Array.from(keys));
          expect(keys.every(filter.has)).toBe(true);
          expect(filter.size()).toBe(keys.length);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('has nothing before a key was added', () => {
    const filter = createKeyFilter(100);
    expect([0, 1, 2 ** 32, LAST_KEY].some(filter.has)).toBe(false);
  });

  it('seems to have one in a hundred other keys at most when it is full', () => {
    const filter = createKeyFilter(50_000);
    filter.add(keysOfIds(0, 50_000));
    expect(keysOfIds(50_000, 50_000).filter(filter.has).length).toBeLessThan(500);
  });
});
