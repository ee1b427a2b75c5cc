import type { Change } from './event-change.ts';
import { isOfCredits, type Payment } from './payment.ts';
import type { NewEffect } from './payment-effect.ts';
import type { PaymentEvent, PaymentEventType } from './payment-event.ts';
import { settleCredits } from './settle-credits.ts';

/** By which events a refund under a transaction id of its own counts at the payment that it refunds. */
const AT_PURCHASE: Readonly<Partial<Record<PaymentEventType, PaymentEventType>>> = {
  refund: 'related_refund',
  correction_credit: 'related_refund',
  refund_reversal: 'related_refund_reversal',
};

/** Reports whether an event of a refund counts at the payment that it refunds, or names that payment. */
const countsAtPurchase = ({ type, duplicateOf, relatedPaymentId }: PaymentEvent): boolean =>
  (AT_PURCHASE[type] !== undefined && duplicateOf === undefined) || (type === 'related_purchase' && relatedPaymentId !== undefined);

/**
 * The orders by which a refund counts at the payment that it refunds. A payment that begins with a report may be the counterpart of one that does not know it: a
 * purchase without an authorization is presented after its refund, or both at once.
 * @param before the payment before the event
 */
export const relatingOrders = (before: Payment, after: Payment, event: PaymentEvent): NewEffect[] => {
  const { relatedPaymentId, authorizationCode, retrievalReference, networkTransactionId } = after;
  const { relatedPaymentId: former } = before;
  // Earlier releases have recorded that a payment refunds itself.
  if ((relatedPaymentId ?? former) === after.id) return [];
  // It was related to another purchase before its own came: that one is told that it is none of its refunds.
  if (former !== undefined && relatedPaymentId === undefined) return [{ kind: 'relate', paymentId: former }];
  if (relatedPaymentId !== undefined) return countsAtPurchase(event) ? [{ kind: 'relate', paymentId: relatedPaymentId }] : [];
  const name = authorizationCode ?? retrievalReference ?? networkTransactionId ?? event.network?.originalTransactionId;
  const isFirstReport = before.events.length === 0 && event.decision === undefined && event.billing !== undefined;
  return isFirstReport && name !== undefined ? [{ kind: 'match' }] : [];
};

/** Names the payment that a refund refunds, unless another one was named before. */
export const purchaseNamed = (refund: Payment, { relatedPaymentId, ...event }: PaymentEvent): Change =>
  relatedPaymentId !== undefined && refund.relatedPaymentId === undefined ? {} : { event };

/** The event that takes back what another one counts at a payment. */
const opposite = (event: PaymentEvent): PaymentEvent => ({
  ...event,
  id: `taken back:${event.id}`,
  type: event.type === 'related_refund' ? 'related_refund_reversal' : 'related_refund',
});

/**
 * The events of a refund as the payment that it refunds records them. Their ids derive from those of the refund, so that each counts there once, however
 * often it is told. Those of a refund that has turned out to be of another purchase are taken back, whether they were told before or are being told.
 */
export const eventsAtPurchase = (refund: Payment): PaymentEvent[] =>
  refund.events.flatMap(({ id, type, at, amount, currency, billing, duplicateOf }) => {
    const told = AT_PURCHASE[type];
    if (told === undefined || duplicateOf !== undefined || amount === undefined || currency === undefined || billing === undefined)
      return [];
    const event = { id: `related:${refund.id}:${id}`, type: told, at, amount, currency, billing };
    return isOfCredits(refund) ? [event] : [event, opposite(event)];
  });

/** Counts a refund under another transaction id, or takes it back. It was credited there; here it lowers what reversals and disputes credit. */
export const relatedRefunded = (payment: Payment, { type, billing = 0n }: PaymentEvent): Change => {
  const { refundedElsewhere = 0n } = payment;
  const amount = type === 'related_refund' ? billing : -billing;
  return settleCredits(payment, { state: { refundedElsewhere: refundedElsewhere + amount } });
};
