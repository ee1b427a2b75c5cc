import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeCursor, encodeCursor } from './page-cursor.ts';

it('decodes its own cursors and rejects any other text', () => {
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
