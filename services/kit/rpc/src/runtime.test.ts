import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { firstIdAt, systemRuntime, uuidV8 } from './runtime.ts';

describe('the first id of a time', () => {
  it('is not above the ids from then on, and above those before', () => {
    const before = new Date();
    const id = systemRuntime.newId();
    const after = new Date(Date.now() + 1);
    expect(firstIdAt(before) <= id).toBe(true);
    expect(firstIdAt(after) > id).toBe(true);
  });

  it('is an id of version 7', () => {
    expect(firstIdAt(new Date('2026-01-01T00:00:00Z'))).toBe('019b76da-a800-7000-8000-000000000000');
    expect(firstIdAt(new Date(-1))).toBe('00000000-0000-7000-8000-000000000000');
  });
});

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
