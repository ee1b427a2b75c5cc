import { describe, expect, it } from 'vitest';
import { PAYMENT_AT, PAYMENT_FACTS } from '../testing/payment-facts.ts';
import { paymentEventOf } from './events.ts';
import { newPayment } from './new-payment.ts';
import type { PaymentEvent } from './payment-event.ts';
import { recordEvent } from './record-event.ts';

const BILLING = { currency: 'EUR', decimals: 2 };
const merchant = { name: 'Books and Coffee', country: 'DE', categoryCode: '5942' };

const event = (type: PaymentEvent['type'], more: Partial<PaymentEvent> = {}): PaymentEvent => ({ id: type, type, at: PAYMENT_AT, ...more });

/** Returns the event that is told of the last of some events. */
const told = (...events: readonly [PaymentEvent, ...PaymentEvent[]]) => {
  const payment = events.reduce(recordEvent, newPayment({ ...PAYMENT_FACTS, transactionId: 'tx-1', last4: '4242', merchant }));
  return paymentEventOf(payment, events.at(-1) ?? events[0], BILLING);
};

const request = { currency: 'USD', amount: 1390n, billing: 1250n, expiresAt: PAYMENT_AT };
const approval = event('authorization', {
  ...request,
  decision: { amount: 1390n, billing: 1250n, held: 1250n, authorizationCode: '123456' },
});

describe('the event of a payment', () => {
  it('carries what the payment is booked by', () => {
    expect(told(approval)).toEqual({
      type: 'payment.authorized',
      payload: {
        paymentId: PAYMENT_FACTS.id,
        cardId: PAYMENT_FACTS.cardId,
        accountId: PAYMENT_FACTS.accountId,
        userId: PAYMENT_FACTS.userId,
        status: 'pending',
        kind: 'payment',
        last4: '4242',
        amount: '1250',
        currency: 'EUR',
        decimals: 2,
        originalAmount: '1390',
        originalCurrency: 'USD',
        originalDecimals: 2,
        heldAmount: '1250',
        clearedAmount: '0',
        refundedAmount: '0',
        merchant,
        processorTransactionId: 'tx-1',
        authorizationCode: '123456',
      },
    });
  });

  it('carries the ids by which the processor, the network and the acquirer know it', () => {
    const networked = { ...approval, network: { transactionId: 'NET-1' } };
    const clearing = event('clearing', {
      ...{ currency: 'USD', amount: 1390n, billing: 1240n, transactionId: 'file-7' },
      network: { transactionId: 'NET-2', acquirerReference: '74537604221222132710572' },
    });
    const ids = { processorTransactionId: 'tx-1', networkTransactionId: 'NET-1', authorizationCode: '123456' };
    expect(told(networked)?.payload).toMatchObject(ids);
    expect(told(networked)?.payload).not.toHaveProperty('acquirerReference');
    expect(told(networked, clearing)?.payload).toMatchObject({
      processorTransactionId: 'file-7',
      networkTransactionId: 'NET-2',
      authorizationCode: '123456',
      acquirerReference: '74537604221222132710572',
    });
    expect(told(networked, event('expiry'))?.payload).toMatchObject(ids);
  });

  it('states its own amount, and what the payment amounts to after it', () => {
    const clearing = event('clearing', { currency: 'USD', amount: 1390n, billing: 1240n });
    const refund = event('refund', { currency: 'EUR', amount: 200n, billing: 200n });
    const inYen = event('clearing', { currency: 'JPY', amount: 2000n, billing: 1240n });
    expect(told(approval, inYen)?.payload).toMatchObject({
      decimals: 2,
      originalAmount: '2000',
      originalCurrency: 'JPY',
      originalDecimals: 0,
    });
    expect(told(approval, clearing, refund)).toMatchObject({
      type: 'payment.refunded',
      payload: { status: 'settled', amount: '200', originalCurrency: 'EUR', heldAmount: '0', clearedAmount: '1240', refundedAmount: '200' },
    });
  });

  it('states what a declined request has asked for, and why it was declined', () => {
    const decision = { decline: 'insufficient_funds', amount: 0n, billing: 0n, held: 0n } as const;
    expect(told(event('authorization', { ...request, decision }))).toMatchObject({
      type: 'payment.declined',
      payload: { status: 'declined', amount: '1250', originalAmount: '1390', reason: 'insufficient_funds' },
    });
  });

  it('states the approved part of a request that was approved in part', () => {
    const decision = { amount: 700n, billing: 630n, held: 630n, authorizationCode: '123456' };
    expect(told(event('authorization', { ...request, decision }))).toMatchObject({ payload: { amount: '630', originalAmount: '700' } });
  });

  it('is none for an acknowledgement', () => {
    expect(told(approval, event('acknowledgement'))).toBeUndefined();
  });
});
