import { describe, expect, it } from 'vitest';
import {
  type IncreasedPayment,
  newSpending,
  release,
  reserve,
  type Spending,
  settle,
  singlePurchase,
  spendingNow,
  usedOf,
} from './spending.ts';

const NOW = new Date('2026-03-18T12:00:00Z');
const YESTERDAY = new Date('2026-03-17T12:00:00Z');
const LAST_MONTH = new Date('2026-02-10T12:00:00Z');
const LIMITS = { daily: 1000n, weekly: 1000n, monthly: 1000n, atm: 500n };

const request = (eventId: string, amount: bigint) => ({ eventId, claimId: eventId, amount, at: NOW });
const key = (atm = false) => ({ paymentId: 'payment', atm });
const eventsOf = (...ids: string[]) => new Map(ids.map((id) => [id, 0n]));
const increased = (usage: bigint, ...eventIds: string[]) => ({ usage, events: eventsOf(...eventIds) });
const reserved = (
  spending: Spending,
  eventId: string,
  amount: bigint,
  { atm = false, ...more }: { atm?: boolean; increased?: IncreasedPayment } = {},
) => reserve(spending, key(atm), request(eventId, amount), { limits: LIMITS, counts: {}, now: NOW, ...more });
const settledAt = (at: Date, amount: bigint, eventIds: string[], atm = false, spending: Spending = newSpending('card')) =>
  settle(spending, { ...key(atm), revision: eventIds.length, usages: [{ at, amount }], events: eventsOf(...eventIds) }, NOW);
const used = (spending: Spending) => (['daily', 'weekly', 'monthly', 'atm'] as const).map((name) => usedOf(spending, name, NOW));

const asSpending = (result: Spending | string): Spending => {
  if (typeof result === 'string') throw new Error(result);
  return result;
};

describe('an authorization under the id of a declined one', () => {
  it('counts in the periods of its own time', () => {
    expect(reserved(settledAt(LAST_MONTH, 0n, ['declined']), 'event', 1001n)).toBe('daily_limit_exceeded');
    const approved = asSpending(reserved(settledAt(LAST_MONTH, 0n, ['declined']), 'event', 1000n));
    expect(used(approved)).toEqual([1000n, 1000n, 1000n, 0n]);
  });

  it('counts against the limit of machines when it is cash', () => {
    expect(reserved(settledAt(NOW, 0n, ['declined']), 'event', 501n, { atm: true })).toBe('atm_limit_exceeded');
    const approved = asSpending(reserved(settledAt(NOW, 0n, ['declined']), 'event', 500n, { atm: true }));
    expect(used(settledAt(NOW, 500n, ['declined', 'event'], true, approved))).toEqual([500n, 500n, 500n, 500n]);
  });
});

describe('a declined authorization of a payment that was cleared before', () => {
  it('leaves what was cleared in the periods in which it was', () => {
    const cleared = settledAt(YESTERDAY, 900n, ['clearing']);
    const reservedNow = asSpending(reserved(cleared, 'event', 100n));
    expect(used(reservedNow).slice(0, 2)).toEqual([100n, 1000n]);
    const released = release(reservedNow, key(), 'event');
    expect(used(released).slice(0, 2)).toEqual([0n, 900n]);
  });
});

describe('requests of one payment at the same time', () => {
  const both = asSpending(reserved(asSpending(reserved(newSpending('card'), 'cash', 300n, { atm: true })), 'purchase', 100n));

  it('count each as what it is while they are under way', () => {
    expect(used(both)).toEqual([400n, 400n, 400n, 300n]);
    expect(used(release(both, key(), 'purchase'))).toEqual([300n, 300n, 300n, 300n]);
    expect(used(release(both, key(), 'cash'))).toEqual([100n, 100n, 100n, 0n]);
  });

  it('count as the approved one afterwards', () => {
    expect(used(settledAt(NOW, 100n, ['cash', 'purchase'], false, both))).toEqual([100n, 100n, 100n, 0n]);
  });

  it('count on while only one of them is decided', () => {
    expect(used(settledAt(NOW, 100n, ['purchase'], false, both))).toEqual([400n, 400n, 400n, 300n]);
  });
});

describe('an increment', () => {
  const before = settledAt(LAST_MONTH, 900n, ['authorization']);
  const increase = { increased: increased(900n, 'authorization') };

  it('counts in the periods of its own time', () => {
    expect(reserved(before, 'increment', 1001n, increase)).toBe('daily_limit_exceeded');
    const approved = asSpending(reserved(before, 'increment', 1000n, increase));
    expect(used(approved)).toEqual([1000n, 1000n, 1000n, 0n]);
    expect(used(release(approved, key(), 'increment'))).toEqual([0n, 0n, 0n, 0n]);
  });

  it('counts the same once it is decided, and again when an older revision comes late', () => {
    const approved = asSpending(reserved(before, 'increment', 1000n, increase));
    const usages = [
      { at: LAST_MONTH, amount: 900n },
      { at: NOW, amount: 1000n },
    ];
    const decided = settle(approved, { ...key(), revision: 2, usages, events: eventsOf('authorization', 'increment') }, NOW);
    expect(used(decided)).toEqual([1000n, 1000n, 1000n, 0n]);
    const givenBack = usages.map((usage) => ({ ...usage, amount: 0n }));
    const reversed = settle(decided, { ...key(), revision: 3, usages: givenBack, events: eventsOf() }, NOW);
    expect(used(reversed)).toEqual([0n, 0n, 0n, 0n]);
    expect(settle(reversed, { ...key(), revision: 2, usages, events: eventsOf() }, NOW)).toBe(reversed);
  });

  it('is cash where its payment is cash as a whole, or a part of it is', () => {
    const usages = [
      { at: NOW, amount: 100n },
      { at: NOW, amount: 300n },
    ];
    const counted = (cashBack: bigint) =>
      used(settle(newSpending('card'), { ...key(), revision: 2, cashBack, usages, events: eventsOf() }, NOW)).at(-1);
    expect([counted(400n), counted(150n), counted(50n)]).toEqual([400n, 150n, 50n]);
  });

  it('is no further payment of the day', () => {
    const today = { paymentId: 'today', atm: false, revision: 1, events: eventsOf('a') };
    const full = settle(before, { ...today, usages: [{ at: NOW, amount: 1n }] }, NOW);
    const options = { limits: LIMITS, counts: { daily: 1 }, now: NOW };
    const raised = reserve(full, key(), request('increment', 1n), { ...options, ...increase });
    expect(raised).not.toBe('count_limit_exceeded');
    expect(reserve(full, { paymentId: 'other', atm: false }, request('event', 1n), options)).toBe('count_limit_exceeded');
    const onlyRaised = asSpending(reserve(before, key(), request('increment', 1n), { ...options, ...increase }));
    expect(typeof reserve(onlyRaised, { paymentId: 'other', atm: false }, request('event', 1n), options)).toBe('object');
  });
});

describe('an increase of a payment of an earlier month', () => {
  const increase = (amount: bigint, more: object = {}, spending = newSpending('card')) =>
    reserve(spending, key(), request('increment', amount), {
      ...{ limits: { perTransaction: 1000n }, counts: {}, now: NOW },
      increased: { ...increased(600n, 'authorization'), ...more },
    });

  it('counts what the payment holds', () => {
    expect(increase(401n)).toBe('transaction_limit_exceeded');
    expect(typeof increase(400n)).toBe('object');
  });

  it('counts what other increases ask for', () => {
    const other = asSpending(reserve(newSpending('card'), key(), request('other', 300n), { limits: {}, counts: {}, now: NOW }));
    expect(increase(101n, {}, other)).toBe('transaction_limit_exceeded');
    expect(typeof increase(100n, {}, other)).toBe('object');
  });

  it('needs an authentication from the total of all of them on', () => {
    expect(increase(100n, { authenticationFrom: 700n })).toBe('authentication_required');
    expect(typeof increase(99n, { authenticationFrom: 700n })).toBe('object');
  });
});

describe('an entry of an earlier release, which counts a payment with its requests', () => {
  const entry = { paymentId: 'payment', at: YESTERDAY, atm: false, revision: 1, amount: 500n };
  const old: Spending = { ...newSpending('card'), entries: [{ ...entry, reservations: [request('one', 30n), request('other', 4n)] }] };

  it('gives back what was reserved for a request', () => {
    expect(used(release(old, key(), 'one'))[1]).toBe(504n);
  });

  it('counts what is settled once, beside the requests that are still under way', () => {
    const usages = [
      { at: YESTERDAY, amount: 500n },
      { at: NOW, amount: 30n },
    ];
    const settled = settle(old, { ...key(), revision: 2, usages, events: eventsOf('one') }, NOW);
    expect(used(settled).slice(0, 2)).toEqual([30n, 534n]);
    expect(used(release(settled, key(), 'other')).slice(0, 2)).toEqual([30n, 530n]);
  });
});

describe('a card for single use', () => {
  const card = { ...newSpending('card'), controls: { singleUseFrom: YESTERDAY } };
  const other = { paymentId: 'other', atm: false };
  const authorized = (spending: Spending, at = NOW) =>
    reserve(spending, other, request('other event', 1n), { limits: {}, counts: {}, now: at });

  it('is used by a request that is being decided, until that is declined', () => {
    const underWay = asSpending(reserved(card, 'event', 100n));
    expect(authorized(underWay)).toBe('card_used');
    expect(singlePurchase(release(underWay, key(), 'event'))).toBeUndefined();
    expect(asSpending(authorized(release(underWay, key(), 'event'))).entries).toHaveLength(1);
  });

  it('stays used when the purchase was reversed, and after its month', () => {
    const reversed = settledAt(YESTERDAY, 0n, ['event', 'reversal'], false, card);
    expect(authorized(reversed)).toBe('card_used');
    const later = new Date('2027-01-01T00:00:00Z');
    const cleared = asSpending(
      reserve(reversed, key(), request('increment', 1n), { limits: {}, counts: {}, increased: increased(0n), now: later }),
    );
    expect(authorized(release(cleared, key(), 'increment'), later)).toBe('card_used');
  });

  it('is not used by a payment of before, by what is cleared of it since, or by a declined one', () => {
    const before = {
      ...key(),
      revision: 2,
      usages: [
        { at: LAST_MONTH, amount: 1n },
        { at: NOW, amount: 2n, increase: true as const },
      ],
      events: eventsOf('event', 'clearing'),
    };
    expect(singlePurchase(settle(card, before, NOW))).toBeUndefined();
    expect(singlePurchase(settle(card, { ...key(), revision: 1, usages: [], events: eventsOf('event') }, NOW))).toBeUndefined();
  });

  it('declines increases of other payments once it is used', () => {
    const both = settledAt(YESTERDAY, 1n, ['event'], false, card);
    const raise = (spending: Spending) =>
      reserve(spending, other, request('increment', 1n), { limits: {}, counts: {}, increased: increased(1n), now: NOW });
    expect(raise(both)).toBe('card_used');
    expect(asSpending(raise(card)).entries).toHaveLength(1);
  });

  it('is used by its first purchase when the network has approved more', () => {
    const both = settle(
      settledAt(NOW, 1n, ['advice'], false, card),
      { ...other, revision: 1, usages: [{ at: YESTERDAY, amount: 1n }], events: eventsOf('event') },
      NOW,
    );
    expect(singlePurchase(both)?.paymentId).toBe('other');
  });

  it('has a clock that is not before the moment at which it was set', () => {
    expect(spendingNow({ ...card, controls: { singleUseFrom: NOW } }, YESTERDAY)).toEqual(NOW);
    expect(spendingNow(card, NOW)).toEqual(NOW);
  });
});
