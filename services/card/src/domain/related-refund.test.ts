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

  it('that an earlier release has recorded still names its payment', () => {
    const { relatedPaymentId: _, ...withoutName } = refund;
    const former = recorded(newPayment({ ...REFUND_FACTS, relatedPaymentId: 'payment' }), withoutName);
    expect(paymentAt(former, '2').relatedPaymentId).toBe('payment');
    expect(eventsAtPurchase(former)).toHaveLength(1);
    expect(relatesOf(recorded({ ...former, effects: [] }, reversal))).toHaveLength(1);
  });
});
