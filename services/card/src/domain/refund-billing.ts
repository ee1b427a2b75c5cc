import type { Amount } from '@florin/rpc/money';
import { type Billed, ofTypes, partOf, pricedApprovals, sumOf } from './approved-amount.ts';
import { isSingleMessage, type Payment } from './payment.ts';
import { isConverted, type PaymentEvent, type PaymentEventType } from './payment-event.ts';

/** The events that have billed a purchase: its clearings, or the approvals that were booked at once, of which clearings are the record; and what was posted beside it. */
export const billingsOf = (purchase: Payment): readonly PaymentEvent[] => {
  const cleared = ofTypes(purchase.events, 'clearing');
  const booked = isSingleMessage(purchase) ? pricedApprovals(purchase) : [];
  return [
    ...(sumOf(cleared).billing <= sumOf(booked).billing ? booked : cleared),
    ...ofTypes(purchase.events, 'force_post', 'correction_debit'),
  ];
};

const within = (limit: Amount, amount: Amount): Amount => {
  if (amount > limit) return limit;
  return amount < -limit ? -limit : amount;
};

/** Events whose amount is worth what was billed for it. An announcement is worth what its refund will be. */
const WORTH_ITS_PURCHASE: ReadonlySet<PaymentEventType> = new Set([
  ...(['refund', 'credit_announced', 'credit_request', 'refund_reversal', 'correction_credit'] as const),
]);

/**
 * Bills a refund whose amount we convert as its purchase was: the refund of all that was purchased returns what was billed for it, mark-up included,
 * whatever the rate is now, and its parts add up to no more. Amounts beyond the purchase are worth what the event says. The reversal of a refund takes
 * back what the refund has given.
 * @param purchase the payment that is refunded, as far as it is known
 */
export const billedAsPurchased = (purchase: Payment, event: PaymentEvent): PaymentEvent => {
  const { type, amount = 0n, currency, billing = 0n } = event;
  if (!isConverted(event) || currency === undefined || amount === 0n || !WORTH_ITS_PURCHASE.has(type)) return event;
  const inCurrency = (events: readonly PaymentEvent[]) => events.filter((one) => one.currency === currency);
  const billings = inCurrency(billingsOf(purchase));
  // Before its clearing, a purchase is worth what it was approved at.
  const purchased = billings.length === 0 ? inCurrency(pricedApprovals(purchase)) : billings;
  const refunds = inCurrency(ofTypes(purchase.events, 'refund', 'related_refund', 'correction_credit'));
  const takenBack = inCurrency(ofTypes(purchase.events, 'refund_reversal', 'related_refund_reversal'));
  const billed = purchased.length === 0 && type === 'refund_reversal' ? refunds : purchased;
  const base = sumOf(billed);
  if (base.amount === 0n) return event;
  const before = sumOf(refunds).amount - sumOf(takenBack).amount;
  const after = type === 'refund_reversal' ? before - amount : before + amount;
  const [from, to] = [within(base.amount, before), within(base.amount, after)];
  const [low, high] = from < to ? [from, to] : [to, from];
  const beyond = amount - (high - low);
  const { fx: _present, ...stated } = event;
  const conversion = purchased.findLast(({ fx }) => fx !== undefined)?.fx;
  const returned = (whole: Billed): Amount => partOf(whole, high) - partOf(whole, low);
  const markup = returned({ ...base, billing: billed.reduce((sum, one) => sum + (one.markup ?? 0n), 0n) });
  return {
    ...stated,
    billing: returned(base) + (billing * beyond) / amount,
    ...(conversion === undefined ? {} : { fx: conversion }),
    ...(markup === 0n ? {} : { markup }),
  };
};
