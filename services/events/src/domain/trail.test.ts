import { expect, it } from 'vitest';
import { extendTrail, type Trail } from './trail.ts';

it('remembers few marks, so that the one before any place is at most twice as old as the place', () => {
  let trail: Trail = [];
  for (let count = 1; count <= 2000; count += 1) {
    trail = extendTrail(trail, { position: `p${count}`, blockHash: `h${count}` });
    // The beginning is older than everything.
    const ages = [...trail.map((mark) => count - mark.count), count];
    const isDense = ages.slice(1).every((age, index) => age <= 2 * (ages[index] ?? 0) + 2);
    if (!isDense || trail.length > 2 + 2 * Math.log2(count)) expect.fail(`the marks are as old as ${ages.join()}`);
  }
  expect(trail[0]).toEqual({ count: 2000, position: 'p2000', blockHash: 'h2000' });
});
