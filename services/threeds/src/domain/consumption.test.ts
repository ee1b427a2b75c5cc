import { describe, expect, it } from 'vitest';
import type { Challenge } from './challenge.ts';
import { isCoveredBy, type PresentedPayment } from './consumption.ts';

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
  currency: 'EUR',
  merchantId: 'M-1',
};

const isCovered = (
  now: Date,
  { challenge = {}, payment = {} }: { challenge?: Partial<Challenge>; payment?: Partial<PresentedPayment> } = {},
) => isCoveredBy({ ...CHALLENGE, ...challenge }, { ...PAYMENT, ...payment }, { now, maxAgeDays: 30 });

describe('an approval', () => {
  it('covers its payment until it is too old', () => {
    expect([daysLater(0), daysLater(30), daysLater(30, 1), daysLater(400)].map((now) => isCovered(now))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it('that was used in time covers a later request of the same payment only', () => {
    const consumedBy = { paymentId: 'payment', at: daysLater(29), requests: ['first'] };
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
