import type { PaymentFacts } from '../domain/payment.ts';

/** When the payments of the tests of events begin. */
export const PAYMENT_AT = new Date('2026-01-31T12:00:00Z');

/** The facts of a payment to which tests record events. */
export const PAYMENT_FACTS: PaymentFacts = {
  id: 'payment',
  processor: 'processor',
  cardId: 'card',
  accountId: 'account',
  userId: 'user',
  kind: 'payment',
  createdAt: PAYMENT_AT,
};
