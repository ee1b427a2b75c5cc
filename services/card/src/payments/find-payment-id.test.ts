import { describe, expect, it } from 'vitest';
import type { Card } from '../domain/card.ts';
import { newPayment } from '../domain/new-payment.ts';
import type { Payment } from '../domain/payment.ts';
import { findFollowedPaymentId, findPaymentId } from './find-payment-id.ts';

const AT = new Date('2026-01-31T12:00:00Z');
const MERCHANT = { id: 'M-1', name: 'Corner Shop' } as NonNullable<Payment['merchant']>;
const PAYMENT: Payment = {
  ...newPayment({
    ...{ id: 'payment', processor: 'first', cardId: 'card', accountId: 'account', userId: 'user', kind: 'payment', createdAt: AT },
    merchant: MERCHANT,
  }),
  events: [{ id: 'event', type: 'authorization', at: AT, amount: 900n, currency: 'EUR' }],
  holdId: 'hold',
  held: 900n,
  authorizationCode: '123456',
  networkTransactionId: 'T-1',
};
const CARD = { id: 'card', userId: 'user', accountId: 'account' } as Card;
const storesOf = (...stored: Payment[]) => {
  const findByNetworkTransaction = async (_account: string, id: string) => stored.filter((one) => one.networkTransactionId === id);
  return {
    payments: { findRecent: async () => stored, findByNetworkReference: async () => stored, findByNetworkTransaction },
    cards: { findSeries: async () => [CARD.id] },
  };
};

const MONEY = { amount: 900n, currency: 'EUR', decimals: 2 };
const find = (processor: string, more: object, stored: Payment[] = [PAYMENT]) => {
  const input = { processor, eventId: 'other', type: 'clearing' as const, cardId: 'card', ...more };
  return findPaymentId(storesOf(...stored), input, CARD, AT);
};

describe.each([
  ['authorization code', { authorizationCode: '123456' }],
  ["the network's id of the transaction", { network: { transactionId: 'T-1' } }],
  ["the network's id of the transaction that it follows from", { network: { transactionId: 'T-2', originalTransactionId: 'T-1' } }],
  ['merchant and amount', { merchant: MERCHANT, money: MONEY }],
])('an event without a transaction id', (what, more) => {
  it(`is matched by ${what}`, async () => {
    expect(await find('first', more)).toBe('payment');
  });

  it(`is not matched by ${what} when another processor reports it`, async () => {
    expect(await find('second', more)).toBeUndefined();
  });
});

describe('references of the network', () => {
  const known = { ...PAYMENT, retrievalReference: '000000000007' };
  it.each<[string, object, string | undefined]>([
    ['the same code', { authorizationCode: '123456' }, 'payment'],
    ['the same code and reference', { authorizationCode: '123456', retrievalReference: '000000000007' }, 'payment'],
    ['the same code and another reference', { authorizationCode: '123456', retrievalReference: '000000000008' }, undefined],
    ['another code and the same reference', { authorizationCode: '654321', retrievalReference: '000000000007' }, undefined],
    ['the same reference', { retrievalReference: '000000000007' }, 'payment'],
    ['another reference', { retrievalReference: '000000000008' }, undefined],
  ])('with %s', async (_, more, expected) => {
    expect(await find('first', more, [known])).toBe(expected);
  });

  it('match a payment that has no retrieval reference by its code', async () => {
    expect(await find('first', { authorizationCode: '123456', retrievalReference: '000000000008' })).toBe('payment');
  });
});

describe('a reference that several payments have', () => {
  const reference = { retrievalReference: '000000000007' };
  const purchase = { ...PAYMENT, ...reference, held: 0n, cleared: 900n, ended: 'cleared' as const };
  const refund = { ...newPayment({ ...PAYMENT, ...reference, id: 'refund', kind: 'refund' }), refunded: 400n };

  it.each(['refund', 'refund_reversal'])(
    'leads a %s with a transaction id of its own to the purchase, not to an earlier refund',
    async (type) => {
      expect(await find('first', { ...reference, type, transactionId: 'T3' }, [refund, purchase])).toBe('payment');
      expect(await find('first', { ...reference, type, transactionId: 'T3' }, [refund])).toBeUndefined();
    },
  );

  it('leads an event without a transaction id to a refund that has no purchase here', async () => {
    expect(await find('first', { ...reference, type: 'refund_reversal' }, [refund])).toBe('refund');
  });

  it('leads a clearing to the approved authorization, not to a later one that was declined', async () => {
    const decline = { ...newPayment({ ...PAYMENT, ...reference, id: 'declined' }) };
    expect(await find('first', reference, [decline, { ...PAYMENT, ...reference }])).toBe('payment');
  });
});

describe('a clearing with a transaction id of its own', () => {
  const clearing = (more: object, stored: Payment[]) =>
    findFollowedPaymentId(
      storesOf(...stored),
      { processor: 'first', eventId: 'other', type: 'clearing', cardId: 'card', transactionId: 'T3', ...more },
      CARD,
    );
  const code = { authorizationCode: '123456' };
  const expired = { ...PAYMENT, id: 'expired', held: 0n, ended: 'expired' as const };
  const atOnce: Payment = {
    ...{ ...PAYMENT, id: 'at once', held: 0n, cleared: 900n, ended: 'cleared' },
    events: [
      {
        id: 'event',
        type: 'authorization',
        at: AT,
        singleMessage: true,
        decision: { billing: 900n, amount: 900n, held: 900n },
        billing: 900n,
      },
    ],
  };
  const presented: Payment = { ...atOnce, events: [...atOnce.events, { id: 'c', type: 'clearing', at: AT, billing: 900n }] };

  it.each([
    ['the open one, if there is one', [expired, atOnce, PAYMENT], 'payment'],
    ['else the one that was booked with its authorization', [expired, atOnce, presented], 'at once'],
    ['else the one that has expired', [presented, expired], 'expired'],
    ['else none', [presented], undefined],
    ['none of several', [PAYMENT, { ...PAYMENT, id: 'other' }], undefined],
  ] satisfies [string, Payment[], string | undefined][])('belongs to %s', async (_, stored, expected) => {
    expect(await clearing(code, stored)).toBe(expected);
    expect(await clearing({ network: { transactionId: 'T-1' } }, stored)).toBe(expected);
  });

  it('belongs to no earlier payment that its own follows from, unless that is open', async () => {
    const following = { network: { transactionId: 'T-2', originalTransactionId: 'T-1' } };
    expect(await clearing(following, [expired, atOnce])).toBeUndefined();
    expect(await clearing(following, [PAYMENT])).toBe('payment');
    const own = { ...PAYMENT, id: 'own', networkTransactionId: 'T-2' };
    expect(await clearing(following, [PAYMENT, own])).toBe('own');
    expect(await clearing(following, [PAYMENT, { ...expired, networkTransactionId: 'T-2' }])).toBe('expired');
  });

  it.each(['reversal', 'advice', 'expiry'])('and so does a %s, which never concerns an earlier payment', async (type) => {
    const following = { type, network: { transactionId: 'T-2', originalTransactionId: 'T-1' } };
    expect(await clearing(following, [PAYMENT])).toBeUndefined();
    expect(await clearing(following, [PAYMENT, { ...PAYMENT, id: 'own', networkTransactionId: 'T-2' }])).toBe('own');
  });
});

describe('a refund that is matched by merchant and amount', () => {
  const refund = { type: 'refund', merchant: MERCHANT, money: MONEY };
  const cleared = { ...PAYMENT, held: 0n, cleared: 900n, ended: 'cleared' as const };

  it('wants a payment with something that was not refunded, under any transaction id', async () => {
    expect(await find('first', refund, [cleared])).toBe('payment');
    expect(await find('first', refund, [{ ...cleared, refunded: 900n }])).toBeUndefined();
    expect(await find('first', refund, [{ ...cleared, refundedElsewhere: 900n }])).toBeUndefined();
  });

  it('takes one that is not cleared yet, where none is', async () => {
    expect(await find('first', refund, [PAYMENT, { ...cleared, id: 'cleared' }])).toBe('cleared');
    expect(await find('first', refund, [PAYMENT])).toBe('payment');
    expect(await find('first', refund, [{ ...PAYMENT, refundedElsewhere: 900n }])).toBeUndefined();
  });
});
