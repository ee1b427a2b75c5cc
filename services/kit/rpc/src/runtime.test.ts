import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { derivedId, firstIdAt, systemRuntime } from './runtime.ts';

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

it('derives ids of version 8 from 122 bits of the SHA-256', () => {
  // As earlier releases have derived and stored it.
  expect(derivedId('florin/deposit/100/0xabc/7')).toBe('cd974d1d-e65e-8b64-a17d-0c6584e4de95');
  fc.assert(
    fc.property(fc.string(), (text) => {
      const bytes = createHash('sha256').update(text).digest().subarray(0, 16);
      const id = derivedId(text);
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
      bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
      expect(id.replaceAll('-', '')).toBe(bytes.toString('hex'));
    }),
  );
});
