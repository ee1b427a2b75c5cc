import type { Change } from './event-change.ts';
import type { Payment } from './payment.ts';
import type { PaymentEvent, PaymentEventType } from './payment-event.ts';
import { settleCredits } from './settle-credits.ts';

/** By which events a refund under a transaction id of its own counts at the payment that it refunds. */
const AT_PURCHASE: Readonly<Partial<Record<PaymentEventType, PaymentEventType>>> = {
  refund: 'related_refund',
  correction_credit: 'related_refund',
  refund_reversal: 'related_refund_reversal',
};

/** Reports whether an event of a refund counts at the payment that it refunds. */
export const countsAtPurchase = ({ type, duplicateOf }: Pick<PaymentEvent, 'type' | 'duplicateOf'>): boolean =>
  AT_PURCHASE[type] !== undefined && duplicateOf === undefined;

/**
 * The events of a refund as the payment that it refunds records them. Their ids derive from those of the refund, so that each counts there once, however
 * often it is told.
 */
export const eventsAtPurchase = (refund: Payment): PaymentEvent[] =>
  refund.events.flatMap(({ id, type, at, amount, currency, billing, duplicateOf }) => {
    const told = AT_PURCHASE[type];
    if (told === undefined || duplicateOf !== undefined || amount === undefined || currency === undefined || billing === undefined)
      return [];
    return [{ id: `related:${refund.id}:${id}`, type: told, at, amount, currency, billing }];
  });

/** Counts a refund under another transaction id, or takes it back. It was credited there; here it lowers what reversals and disputes credit. */
export const relatedRefunded = (payment: Payment, { type, billing = 0n }: PaymentEvent): Change => {
  const { refundedElsewhere = 0n } = payment;
  const amount = type === 'related_refund' ? billing : -billing;
  return settleCredits(payment, { state: { refundedElsewhere: refundedElsewhere + amount } });
};
