import { describe, expect, it } from 'vitest';
import { PAYMENT_AT, PAYMENT_FACTS } from '../testing/payment-facts.ts';
import { newPayment } from './new-payment.ts';
import { type Payment, paymentAmount, paymentStatus } from './payment.ts';
import type { PaymentEvent } from './payment-event.ts';
import { recordEvent } from './record-event.ts';

const LATER = new Date('2026-02-05T12:00:00Z');
const FACTS = { ...PAYMENT_FACTS, kind: 'refund' } as const;

let count = 0;
const event = (type: PaymentEvent['type'], billing?: bigint): PaymentEvent => {
  count += 1;
  return {
    id: `${type} ${count}`,
    type,
    at: PAYMENT_AT,
    ...(billing === undefined ? {} : { billing }),
    ...(type === 'credit_announced' ? { expiresAt: LATER } : {}),
  };
};
const recorded = (...events: readonly PaymentEvent[]): Payment => events.reduce(recordEvent, newPayment(FACTS));
const summary = (payment: Payment) => [
  paymentStatus(payment),
  paymentAmount(payment),
  payment.pendingCredit,
  payment.refunded,
  payment.expiresAt !== undefined,
];

describe('an announced credit', () => {
  it.each<[string, PaymentEvent[], ReturnType<typeof summary>]>([
    ['is pending and expires', [event('credit_announced', 500n)], ['pending', 500n, 500n, 0n, true]],
    ['is settled when it is credited', [event('credit_announced', 500n), event('refund', 500n)], ['settled', 500n, 0n, 500n, false]],
    ['stays pending for the rest', [event('credit_announced', 500n), event('credit', 200n)], ['pending', 500n, 300n, 200n, true]],
    ['is settled by a larger credit', [event('credit_announced', 500n), event('refund', 600n)], ['settled', 600n, 0n, 600n, false]],
    ['adds up', [event('credit_announced', 500n), event('credit_announced', 100n)], ['pending', 600n, 600n, 0n, true]],
    ['is taken back', [event('credit_announced', 500n), event('reversal')], ['reversed', 0n, 0n, 0n, false]],
    ['is taken back in part', [event('credit_announced', 500n), event('reversal', 200n)], ['pending', 300n, 300n, 0n, true]],
    ['expires', [event('credit_announced', 500n), event('expiry')], ['expired', 0n, 0n, 0n, false]],
    [
      'is credited after its expiry',
      [event('credit_announced', 500n), event('expiry'), event('refund', 500n)],
      ['settled', 500n, 0n, 500n, false],
    ],
  ])('%s', (_, events, expected) => {
    expect(summary(recorded(...events))).toEqual(expected);
  });

  it('books nothing, and counts against no limit', () => {
    expect(recorded(event('credit_announced', 500n), event('reversal', 200n), event('expiry')).effects).toEqual([]);
  });
});

describe('a correction', () => {
  it('takes from the account beside what is held, and counts against the limits', () => {
    const { effects, cleared } = recorded(event('correction_debit', 70n));
    expect(cleared).toBe(70n);
    expect(effects).toMatchObject([{ kind: 'post', amount: 70n, keepOpen: false }, { kind: 'usage' }]);
  });

  it('gives to the account like a refund', () => {
    const { effects, refunded } = recorded(event('correction_credit', 70n));
    expect(refunded).toBe(70n);
    expect(effects).toMatchObject([{ kind: 'credit', from: 'settlement', amount: 70n }]);
  });
});
