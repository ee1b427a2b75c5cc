import { describe, expect, it } from 'vitest';
import type { Payment } from '../domain/payment.ts';
import { newPayment } from '../domain/record-event.ts';
import type { PaymentStore } from '../store/payments.ts';
import { findPaymentId } from './find-payment-id.ts';

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
};
const payments = { findRecent: async () => [PAYMENT] } as unknown as PaymentStore;

const MONEY = { amount: 900n, currency: 'EUR', decimals: 2 };
const find = (processor: string, more: object) =>
  findPaymentId(payments, { processor, eventId: 'other', type: 'clearing', cardId: 'card', ...more }, AT);

describe.each([
  ['authorization code', { authorizationCode: '123456' }],
  ['merchant and amount', { merchant: MERCHANT, money: MONEY }],
])('an event without a transaction id', (what, more) => {
  it(`is matched by ${what}`, async () => {
    expect(await find('first', more)).toBe('payment');
  });

  it(`is not matched by ${what} when another processor reports it`, async () => {
    expect(await find('second', more)).toBeUndefined();
  });
});
