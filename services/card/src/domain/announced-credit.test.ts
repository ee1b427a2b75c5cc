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
const HOLD: PaymentEvent = {
  ...{ id: 'authorization', type: 'authorization', at: PAYMENT_AT, billing: 1000n, amount: 1000n, currency: 'EUR', expiresAt: LATER },
  decision: { billing: 1000n, amount: 1000n, held: 1000n, authorizationCode: '123456' },
};
const recorded = (...events: readonly PaymentEvent[]): Payment => events.reduce(recordEvent, newPayment(FACTS));
const summary = (payment: Payment) => [
  paymentStatus(payment),
  paymentAmount(payment),
  payment.pendingCredit,
  payment.refunded,
  payment.creditExpiresAt !== undefined,
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

  it.each<[string, PaymentEvent[], ReturnType<typeof summary>]>([
    ['is taken back', [event('announcement_reversal')], ['settled', 1000n, 0n, 0n, false]],
    ['is taken back in part', [event('announcement_reversal', 200n)], ['settled', 1000n, 300n, 0n, true]],
    ['is taken back by a reversal, which can be about nothing else', [event('reversal')], ['settled', 1000n, 0n, 0n, false]],
    ['expires', [event('announcement_expiry')], ['settled', 1000n, 0n, 0n, false]],
  ])('after the settlement of a payment %s', (_, events, expected) => {
    const purchase = [HOLD, event('clearing', 1000n), event('credit_announced', 500n)];
    expect(summary([...purchase, ...events].reduce(recordEvent, newPayment(PAYMENT_FACTS)))).toEqual(expected);
  });

  it.each([
    ['taken back', 'announcement_reversal'],
    ['expired', 'announcement_expiry'],
  ] as const)('that is %s beside a hold leaves the hold alone', (_, type) => {
    const { held, pendingCredit, expiresAt, ended } = [HOLD, event('credit_announced', 500n), event(type)].reduce(
      recordEvent,
      newPayment(PAYMENT_FACTS),
    );
    expect({ held, pendingCredit, expiresAt, ended }).toEqual({ held: 1000n, pendingCredit: 0n, expiresAt: LATER, ended: undefined });
  });

  it('that was taken back before it arrived is not pending', () => {
    expect(summary(recorded(event('announcement_reversal'), event('credit_announced', 500n)))).toEqual(['reversed', 0n, 0n, 0n, false]);
  });

  it('does not expire by the expiry of what was announced before', () => {
    const announcement = event('credit_announced', 500n);
    const renewed = { ...event('credit_announced', 100n), expiresAt: new Date(LATER.getTime() + 1) };
    const expiry = { ...event('announcement_expiry'), expiresAt: LATER };
    expect(recorded(announcement, renewed, expiry).pendingCredit).toBe(600n);
    expect(recorded(announcement, expiry).pendingCredit).toBe(0n);
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
