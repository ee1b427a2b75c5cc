import { describe, expect, it } from 'vitest';
import { PAYMENT_AT, PAYMENT_FACTS } from '../testing/payment-facts.ts';
import { newPayment } from './new-payment.ts';
import type { Payment } from './payment.ts';
import type { PaymentEvent } from './payment-event.ts';
import { paymentAt, recordEvent } from './record-event.ts';
import { eventsAtPurchase } from './related-refund.ts';

const REFUND_FACTS = { ...PAYMENT_FACTS, id: 'refund', kind: 'refund' } as const;
const event = (id: string, type: PaymentEvent['type'], billing: bigint, more: Partial<PaymentEvent> = {}): PaymentEvent => ({
  ...{ id, type, at: PAYMENT_AT, amount: billing, currency: 'EUR', billing },
  ...more,
});
const recorded = (payment: Payment, ...events: readonly PaymentEvent[]): Payment => events.reduce(recordEvent, payment);
const relatesOf = ({ effects }: Payment) => effects.filter(({ kind }) => kind === 'relate');

describe('a refund under a transaction id of its own', () => {
  const announced = event('1', 'credit_announced', 900n);
  const refund = event('2', 'refund', 900n, { relatedPaymentId: 'payment' });
  const reversal = event('3', 'refund_reversal', 200n);

  it('tells its payment of all that it has refunded, once the payment is known', () => {
    const early = recorded(newPayment(REFUND_FACTS), announced, event('0', 'refund_reversal', 50n));
    expect(relatesOf(early)).toEqual([]);
    const all = recorded(early, refund, reversal);
    expect(relatesOf(all)).toMatchObject([{ paymentId: 'payment' }, { paymentId: 'payment' }]);
    expect(eventsAtPurchase(all)).toMatchObject([
      { id: 'related:refund:0', type: 'related_refund_reversal', billing: 50n },
      { id: 'related:refund:2', type: 'related_refund', billing: 900n },
      { id: 'related:refund:3', type: 'related_refund_reversal', billing: 200n },
    ]);
    const purchase = recorded(newPayment(PAYMENT_FACTS), ...eventsAtPurchase(all), ...eventsAtPurchase(all));
    expect([purchase.refundedElsewhere, purchase.refunded, purchase.effects]).toEqual([650n, 0n, []]);
  });

  it('is told again as it was told first, also when its payment was found later', () => {
    const all = recorded(newPayment(REFUND_FACTS), announced, refund);
    expect(paymentAt(all, '1').relatedPaymentId).toBeUndefined();
    expect(paymentAt(all, '2').relatedPaymentId).toBe('payment');
  });

  it('that comes before its payment is matched with it, and names the first one alone', () => {
    const stated = { authorizationCode: '482913' };
    const early = recorded(newPayment(REFUND_FACTS), event('1', 'refund', 900n, stated));
    expect(early).toMatchObject({ authorizationCode: '482913', effects: [{ kind: 'credit' }, { kind: 'match' }] });
    const named = (id: string): PaymentEvent => ({ id, type: 'related_purchase', at: PAYMENT_AT, relatedPaymentId: id });
    const twice = recorded(early, named('one'), named('other'));
    expect(twice.relatedPaymentId).toBe('one');
    expect(relatesOf(twice)).toMatchObject([{ paymentId: 'one' }]);
    const presented = recorded(newPayment(PAYMENT_FACTS), event('2', 'force_post', 900n, stated), event('3', 'force_post', 900n, stated));
    expect(presented.effects.map(({ kind }) => kind)).toEqual(['post', 'match', 'usage', 'post', 'usage']);
    expect(recorded(newPayment(PAYMENT_FACTS), event('4', 'force_post', 900n)).effects.map(({ kind }) => kind)).toEqual(['post', 'usage']);
  });

  it('is none of its payment any more when the purchase of its own transaction comes', () => {
    const related = recorded(newPayment(REFUND_FACTS), refund, reversal);
    const told = recorded(newPayment(PAYMENT_FACTS), ...eventsAtPurchase(related));
    expect(told.refundedElsewhere).toBe(700n);
    const purchase = recorded({ ...related, effects: [] }, event('4', 'clearing', 4000n));
    expect([purchase.kind, purchase.relatedPaymentId, relatesOf(purchase)]).toMatchObject([
      'payment',
      undefined,
      [{ paymentId: 'payment' }],
    ]);
    const later = recorded({ ...purchase, effects: [] }, event('5', 'refund', 300n), event('6', 'refund_reversal', 100n));
    expect(relatesOf(later)).toEqual([]);
    for (const one of [purchase, later])
      expect(recorded(told, ...eventsAtPurchase(one), ...eventsAtPurchase(related)).refundedElsewhere).toBe(0n);
  });

  it('that an earlier release has recorded still names its payment', () => {
    const { relatedPaymentId: _, ...withoutName } = refund;
    const former = recorded(newPayment({ ...REFUND_FACTS, relatedPaymentId: 'payment' }), withoutName);
    expect(paymentAt(former, '2').relatedPaymentId).toBe('payment');
    expect(eventsAtPurchase(former)).toHaveLength(1);
    expect(relatesOf(recorded({ ...former, effects: [] }, reversal))).toHaveLength(1);
  });
});
