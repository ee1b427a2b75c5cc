import type { Amount } from '@florin/rpc/money';
import type { Payment } from './payment.ts';
import type { PaymentEvent, PaymentEventType } from './payment-event.ts';

/** An amount of another currency with what was billed for it. */
type Billed = { amount: Amount; billing: Amount };

const NOTHING: Billed = { amount: 0n, billing: 0n };

const sumOf = ({ events }: Payment, currency: string, of: (event: PaymentEvent) => Billed | undefined): Billed =>
  events.reduce((sum, event) => {
    const part = event.currency === currency && event.duplicateOf === undefined ? of(event) : undefined;
    return part === undefined ? sum : { amount: sum.amount + part.amount, billing: sum.billing + part.billing };
  }, NOTHING);

const statedBy = ({ amount = 0n, billing = 0n }: PaymentEvent): Billed => ({ amount, billing });

/** The purchased amount: cleared, or booked with the authorization. */
const purchasedBy = (event: PaymentEvent): Billed | undefined => {
  const { type, singleMessage, decision } = event;
  if (type === 'clearing' || type === 'force_post' || type === 'correction_debit') return statedBy(event);
  if (singleMessage !== true) return undefined;
  return type === 'advice' ? statedBy(event) : decision;
};

const REFUND: ReadonlySet<PaymentEventType> = new Set(['refund', 'related_refund', 'correction_credit']);
const TAKEN_BACK: ReadonlySet<PaymentEventType> = new Set(['refund_reversal', 'related_refund_reversal']);

const refundedBy = (event: PaymentEvent): Billed | undefined => (REFUND.has(event.type) ? statedBy(event) : undefined);
const takenBackBy = (event: PaymentEvent): Billed | undefined => (TAKEN_BACK.has(event.type) ? statedBy(event) : undefined);

/** The part of what was billed that belongs to an amount, which is at most what was purchased; rounded down. */
const partOf = ({ amount: whole, billing }: Billed, amount: Amount): Amount => (billing * amount) / whole;

const within = (limit: Amount, amount: Amount): Amount => {
  if (amount > limit) return limit;
  return amount < -limit ? -limit : amount;
};

/** Events whose amount is worth what was billed for it. An announcement is worth what its refund will be. */
const REFUNDING: ReadonlySet<PaymentEventType> = new Set([
  ...(['refund', 'credit_announced', 'credit_request', 'refund_reversal', 'correction_credit'] as const),
]);

/**
 * Bills a refund that we convert ourselves as its purchase was: the refund of all that was purchased returns what was billed for it, mark-up included,
 * whatever the rate is now, and its parts add up to no more. What goes beyond the purchase is worth what the event says. The reversal of a refund takes
 * back what the refund has given.
 * @param purchase the payment that is refunded, as far as it is known
 */
export const billedAsPurchased = (purchase: Payment, event: PaymentEvent): PaymentEvent => {
  const { type, amount = 0n, currency, billing = 0n, fx } = event;
  if (fx === undefined || currency === undefined || amount === 0n || !REFUNDING.has(type)) return event;
  const refunds = sumOf(purchase, currency, refundedBy);
  const purchased = sumOf(purchase, currency, purchasedBy);
  const base = purchased.amount === 0n && type === 'refund_reversal' ? refunds : purchased;
  if (base.amount === 0n) return event;
  const before = refunds.amount - sumOf(purchase, currency, takenBackBy).amount;
  const after = type === 'refund_reversal' ? before - amount : before + amount;
  const [from, to] = [within(base.amount, before), within(base.amount, after)];
  const [low, high] = from < to ? [from, to] : [to, from];
  const beyond = amount - (high - low);
  const { fx: _present, ...stated } = event;
  const conversion = purchase.events.findLast((one) => one.currency === currency && purchasedBy(one) !== undefined)?.fx;
  return {
    ...stated,
    billing: partOf(base, high) - partOf(base, low) + (billing * beyond) / amount,
    ...(conversion === undefined ? {} : { fx: conversion }),
  };
};
