import fc from 'fast-check';
import { expect, it } from 'vitest';
import { uuidV8 } from './index.ts';

it('keeps all bits of the hash but the version and the variant', () => {
  expect(uuidV8(new Uint8Array(16))).toBe('00000000-0000-8000-8000-000000000000');
  expect(uuidV8(new Uint8Array(32).fill(0xff))).toBe('ffffffff-ffff-8fff-bfff-ffffffffffff');
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 16, maxLength: 64 }), (hash) => {
      const before = hash.slice();
      expect(uuidV8(hash)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(hash).toEqual(before);
    }),
  );
});
