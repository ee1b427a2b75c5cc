import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPositionTable } from './position-table.ts';

const MAX_KEY = 2 ** 45 - 1;

/** Few different keys, most of which share their last bits, so that they collide. */
const key = fc.oneof(
  fc.integer({ min: 0, max: 20 }).map((high) => high * 2 ** 32),
  fc.constant(MAX_KEY),
  fc.integer({ min: 0, max: MAX_KEY }),
);

describe('the table of positions', () => {
  it('finds all positions under a key, in whatever order keys come and however they collide', () => {
    fc.assert(
      fc.property(fc.array(key, { maxLength: 3000, size: 'max' }), key, (keys, other) => {
        const table = createPositionTable();
        const model = new Map<number, number[]>();
        for (const [position, one] of keys.entries()) {
          table.add(one, position);
          model.set(one, [...(model.get(one) ?? []), position]);
        }
        for (const one of [...keys, other]) {
          expect(table.has(one)).toBe(model.has(one));
          expect(table.find(one).toSorted((a, b) => a - b)).toEqual(model.get(one) ?? []);
        }
        expect(table.size()).toBe(keys.length);
      }),
      { numRuns: 20 },
    );
  });

  it('has nothing after it was cleared, and takes keys again', () => {
    const table = createPositionTable();
    for (let one = 0; one < 5000; one += 1) table.add(one, one);
    table.clear();
    expect([table.size(), table.has(7), table.find(7)]).toEqual([0, false, []]);
    table.add(7, 1);
    expect([table.size(), table.has(7), table.find(7)]).toEqual([1, true, [1]]);
  });
});
