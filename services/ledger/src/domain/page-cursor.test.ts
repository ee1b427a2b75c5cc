import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeCursor, decodePlace, encodeCursor, encodePlace } from './page-cursor.ts';

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

it('decodes its own places and rejects any other text', () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), fc.date({ min: new Date(0), noInvalidDate: true }), (position, at) => {
      expect(decodePlace(encodePlace({ position, at }))).toEqual({ position, at });
    }),
  );
  fc.assert(
    fc.property(fc.string(), (text) => {
      const place = decodePlace(text);
      if (place !== undefined) expect(encodePlace(place)).toBe(text);
    }),
  );
});
