import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeCursor, encodeCursor } from './page-cursor.ts';

it('a cursor comes back as it went out, and nothing else passes for one', () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), (position) => {
      expect(decodeCursor(encodeCursor(position))).toBe(position);
    }),
  );
  fc.assert(
    fc.property(fc.string(), (text) => {
      const position = decodeCursor(text);
      if (position !== undefined) expect(encodeCursor(position)).toBe(text);
    }),
  );
});
