import { describe, expect, it } from 'vitest';
import { newSpending, release, reserve, type Spending, settle, usedOf } from './spending.ts';

const NOW = new Date('2026-03-18T12:00:00Z');
const YESTERDAY = new Date('2026-03-17T12:00:00Z');
const LAST_MONTH = new Date('2026-02-10T12:00:00Z');
const LIMITS = { daily: 1000n, weekly: 1000n, monthly: 1000n, atm: 500n };

const request = (eventId: string, amount: bigint) => ({ eventId, claimId: eventId, amount, at: NOW });
const key = (at: Date, atm = false) => ({ paymentId: 'payment', at, atm });
const reserved = (spending: Spending, eventId: string, amount: bigint, ...rest: Parameters<typeof key>) =>
  reserve(spending, key(...rest), request(eventId, amount), { limits: LIMITS, counts: {}, now: NOW });
const settledAt = (at: Date, usage: bigint, eventIds: string[], atm = false, spending: Spending = newSpending('card')) =>
  settle(spending, key(at, atm), { revision: eventIds.length, usage, eventIds: new Set(eventIds) }, NOW);

const asSpending = (result: Spending | string): Spending => {
  if (typeof result === 'string') throw new Error(result);
  return result;
};

describe('an authorization under the id of a declined one', () => {
  it('counts in the periods of its own time', () => {
    expect(reserved(settledAt(LAST_MONTH, 0n, ['declined']), 'event', 1001n, NOW)).toBe('daily_limit_exceeded');
    const approved = asSpending(reserved(settledAt(LAST_MONTH, 0n, ['declined']), 'event', 1000n, NOW));
    expect((['daily', 'weekly', 'monthly'] as const).map((name) => usedOf(approved, name, NOW))).toEqual([1000n, 1000n, 1000n]);
  });

  it('counts against the limit of machines when it is cash', () => {
    expect(reserved(settledAt(NOW, 0n, ['declined']), 'event', 501n, NOW, true)).toBe('atm_limit_exceeded');
    const approved = asSpending(reserved(settledAt(NOW, 0n, ['declined']), 'event', 500n, NOW, true));
    expect(usedOf(settledAt(NOW, 500n, ['declined', 'event'], true, approved), 'atm', NOW)).toBe(500n);
  });
});

describe('a declined authorization of a payment that was cleared before', () => {
  it('leaves what was cleared in the periods in which it was', () => {
    const cleared = settledAt(YESTERDAY, 900n, ['clearing']);
    const reservedNow = asSpending(reserved(cleared, 'event', 100n, NOW));
    expect(usedOf(reservedNow, 'daily', NOW)).toBe(1000n);
    const released = release(reservedNow, key(YESTERDAY), 'event');
    expect([usedOf(released, 'daily', NOW), usedOf(released, 'weekly', NOW)]).toEqual([0n, 900n]);
  });
});

describe('requests of one payment at the same time', () => {
  const both = asSpending(reserved(asSpending(reserved(newSpending('card'), 'cash', 300n, NOW, true)), 'purchase', 100n, LAST_MONTH));

  it('count in the stricter way while they are under way', () => {
    expect([usedOf(both, 'atm', NOW), usedOf(both, 'daily', NOW)]).toEqual([400n, 400n]);
    expect(usedOf(release(both, key(LAST_MONTH), 'purchase'), 'atm', NOW)).toBe(300n);
  });

  it('count as the approved one afterwards', () => {
    const settled = settledAt(NOW, 100n, ['cash', 'purchase'], false, both);
    expect([usedOf(settled, 'atm', NOW), usedOf(settled, 'daily', NOW)]).toEqual([0n, 100n]);
  });
});

describe('an increment', () => {
  it('counts in the periods of its authorization', () => {
    const before = settledAt(LAST_MONTH, 900n, ['authorization']);
    const increased = asSpending(reserved(before, 'increment', 900n, LAST_MONTH));
    expect(usedOf(increased, 'monthly', NOW)).toBe(0n);
  });

  it('of a payment of an earlier day is not judged by the number of payments of today', () => {
    const today = { ...key(NOW), paymentId: 'today' };
    const full = settle(settledAt(LAST_MONTH, 100n, ['authorization']), today, { revision: 1, usage: 1n, eventIds: new Set(['a']) }, NOW);
    const options = { limits: LIMITS, counts: { daily: 1 }, now: NOW };
    expect(reserve(full, key(LAST_MONTH), request('increment', 1n), options)).not.toBe('count_limit_exceeded');
    expect(reserve(full, { ...key(NOW), paymentId: 'other' }, request('event', 1n), options)).toBe('count_limit_exceeded');
  });
});

describe('an increase of a payment of an earlier month', () => {
  const increase = (amount: bigint, more: object = {}, spending = newSpending('card')) =>
    reserve(spending, key(LAST_MONTH), request('increment', amount), {
      ...{ limits: { perTransaction: 1000n }, counts: {}, now: NOW },
      increased: { usage: 600n, eventIds: new Set(['authorization']), ...more },
    });

  it('counts what the payment holds', () => {
    expect(increase(401n)).toBe('transaction_limit_exceeded');
    expect(typeof increase(400n)).toBe('object');
  });

  it('counts what other increases ask for', () => {
    const other = asSpending(reserve(newSpending('card'), key(LAST_MONTH), request('other', 300n), { limits: {}, counts: {}, now: NOW }));
    expect(increase(101n, {}, other)).toBe('transaction_limit_exceeded');
    expect(typeof increase(100n, {}, other)).toBe('object');
  });

  it('needs an authentication from the total of all of them on', () => {
    expect(increase(100n, { authenticationFrom: 700n })).toBe('authentication_required');
    expect(typeof increase(99n, { authenticationFrom: 700n })).toBe('object');
  });
});
