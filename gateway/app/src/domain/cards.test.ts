import { describe, expect, it } from 'vitest';
import { expiresSoon } from './cards.ts';

describe('expiresSoon', () => {
  it.each([
    ['2030-10-01T23:59:59Z', false],
    ['2030-10-02T00:00:00Z', true],
    ['2030-12-02T00:00:00Z', true],
  ])('is sixty days before the end of the expiry month: %s', (now, soon) => {
    expect(expiresSoon({ expMonth: 11, expYear: 2030 }, new Date(now))).toBe(soon);
  });
});
