import { describe, expect, it } from 'vitest';
import { firstIdAt, systemRuntime } from './index.ts';

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
