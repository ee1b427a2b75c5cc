import { describe, expect, it } from 'vitest';
import type { Challenge } from './challenge.ts';
import { consumptionWith, type PresentedPayment } from './consumption.ts';

const DECIDED_AT = new Date('2026-01-31T12:00:00Z');
const daysLater = (days: number, seconds = 0) => new Date(DECIDED_AT.getTime() + days * 86_400_000 + seconds * 1000);

const CHALLENGE = {
  status: 'approved',
  cardId: 'card',
  currency: 'EUR',
  amount: '4999',
  merchant: { displayName: 'Bookshop', id: 'M-1', country: 'DE', categoryCode: '5942' },
  receipt: { decidedAt: DECIDED_AT },
} as unknown as Challenge;
const PAYMENT: PresentedPayment = {
  cardId: 'card',
  paymentId: 'payment',
  requestId: 'request',
  amount: 4999n,
  approvedBefore: 0n,
  decidedRequestIds: [],
  currency: 'EUR',
  merchantId: 'M-1',
};

const isCovered = (
  now: Date,
  { challenge = {}, payment = {} }: { challenge?: Partial<Challenge>; payment?: Partial<PresentedPayment> } = {},
) => consumptionWith({ ...CHALLENGE, ...challenge }, { ...PAYMENT, ...payment }, { now, maxAgeDays: 30 }) !== undefined;

describe('an approval', () => {
  it('covers its payment until it is too old', () => {
    expect([daysLater(0), daysLater(30), daysLater(30, 1), daysLater(400)].map((now) => isCovered(now))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it('covers its payee also by an id that is shown in a readable form, and one of an earlier release that is not', () => {
    const payment = { merchantId: 'M:1' };
    for (const id of ['M 1', 'M:1'])
      expect(isCovered(daysLater(1), { challenge: { merchant: { ...CHALLENGE.merchant, id } }, payment })).toBe(true);
    expect(isCovered(daysLater(1), { payment })).toBe(false);
  });

  it('that was used in time covers a later request of the same payment only', () => {
    const consumedBy = { paymentId: 'payment', at: daysLater(29), requests: [{ id: 'first', amount: '0' }], revision: 1 };
    expect(isCovered(daysLater(60), { challenge: { consumedBy } })).toBe(true);
    expect(isCovered(daysLater(60), { challenge: { consumedBy }, payment: { paymentId: 'other' } })).toBe(false);
    expect(isCovered(daysLater(60), { challenge: { consumedBy: { ...consumedBy, requests: [] } } })).toBe(false);
  });

  it.each<[string, Partial<PresentedPayment>]>([
    ['a larger amount', { amount: 5000n }],
    ['another card', { cardId: 'other' }],
    ['another currency', { currency: 'USD' }],
    ['another merchant', { merchantId: 'M-2' }],
  ])('does not cover %s', (_, payment) => {
    expect(isCovered(daysLater(1), { payment })).toBe(false);
  });
});

it('any approval of the card covers a verification, and one without a payment nothing else', () => {
  const verification = { amount: 0n, currency: '' };
  expect(isCovered(daysLater(1), { payment: verification })).toBe(true);
  const without = { amount: '', currency: '' };
  expect(isCovered(daysLater(1), { challenge: without, payment: verification })).toBe(true);
  expect(isCovered(daysLater(1), { challenge: without })).toBe(false);
  expect(isCovered(daysLater(1), { challenge: without, payment: { amount: 1n, currency: '' } })).toBe(false);
});

describe('an approval that requests of its payment use', () => {
  const requests = [
    { id: 'decided', amount: '3000' },
    { id: 'undecided', amount: '1000' },
  ];
  const consumedBy = { paymentId: 'payment', at: DECIDED_AT, requests, revision: 2 };
  const use = (payment: Partial<PresentedPayment>) =>
    consumptionWith({ ...CHALLENGE, consumedBy }, { ...PAYMENT, ...payment }, { now: DECIDED_AT, maxAgeDays: 30 });

  it.each<[string, bigint, Partial<PresentedPayment>]>([
    ['all requests ask for', 999n, {}],
    ['the decided ones were approved for, and the others ask for', 1999n, { approvedBefore: 2000n, decidedRequestIds: ['decided'] }],
    ['was approved, also without it', 499n, { approvedBefore: 3500n, decidedRequestIds: ['decided'] }],
    ['the others ask for when a request was declined', 3999n, { decidedRequestIds: ['decided'] }],
  ])('covers what is left of what %s', (_, rest, payment) => {
    expect(use({ ...payment, amount: rest })).toEqual({
      ...consumedBy,
      requests: [...requests, { id: 'request', amount: String(rest) }],
      revision: 3,
    });
    expect(use({ ...payment, amount: rest + 1n })).toBeUndefined();
  });

  it('is not changed by a request that uses it already', () => {
    expect(use({ requestId: 'decided', amount: 3000n })).toBe(consumedBy);
  });
});
