import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expiryOf, isLive, type StoredCardStatus, statusAt } from './card.ts';

const LAST_MOMENT = new Date('2028-12-31T23:59:59.999Z');
const EXPIRY = new Date('2029-01-01T00:00:00.000Z');

describe('expiry', () => {
  it.each([
    [12, 2028, EXPIRY],
    [1, 2029, new Date('2029-02-01T00:00:00Z')],
    [2, 2028, new Date('2028-03-01T00:00:00Z')],
  ])('of %i/%i', (expMonth, expYear, at) => {
    expect(expiryOf({ expMonth, expYear })).toEqual(at);
  });

  it('is the first moment after the expiry month, for every month', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 2000, max: 2100 }), (expMonth, expYear) => {
        const expiry = expiryOf({ expMonth, expYear });
        const before = new Date(expiry.getTime() - 1);
        return before.getUTCFullYear() === expYear && before.getUTCMonth() + 1 === expMonth && expiry.getUTCDate() === 1;
      }),
    );
  });
});

describe('status', () => {
  it.each<[StoredCardStatus, Date, string, boolean]>([
    ['active', LAST_MOMENT, 'active', true],
    ['active', EXPIRY, 'expired', false],
    ['frozen', LAST_MOMENT, 'frozen', true],
    ['frozen', EXPIRY, 'expired', false],
    ['lost', LAST_MOMENT, 'lost', false],
    ['lost', EXPIRY, 'lost', false],
    ['stolen', LAST_MOMENT, 'stolen', false],
    ['stolen', EXPIRY, 'stolen', false],
    ['cancelled', LAST_MOMENT, 'cancelled', false],
    ['cancelled', EXPIRY, 'cancelled', false],
  ])('of %s at %s is %s (live: %s)', (status, now, shown, live) => {
    expect(statusAt({ status, expiresAt: EXPIRY }, now)).toBe(shown);
    expect(isLive({ status, expiresAt: EXPIRY }, now)).toBe(live);
  });
});
