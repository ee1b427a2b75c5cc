import type { Amount } from '@florin/rpc/money';
import { billedBy, ofTypes, partOf, pricedApprovals, sumOf } from './approved-amount.ts';
import { isOfCredits, type Payment, paymentAmount, usageOf } from './payment.ts';
import { type FxConversion, isDeclined, type PaymentEvent } from './payment-event.ts';
import { billingsOf } from './refund-billing.ts';
import { bookingsOf } from './replay-orders.ts';

/** The events whose amounts add up to that of a payment: approvals while it is held, then what has billed it; of a credit, what was credited or is to be. */
const partsOf = (payment: Payment): readonly PaymentEvent[] => {
  const announced = ofTypes(payment.events, 'credit_announced', 'credit_request').filter((event) => !isDeclined(event));
  const [now, before] = isOfCredits(payment)
    ? [ofTypes(payment.events, 'refund', 'credit', 'correction_credit'), announced]
    : [billingsOf(payment), pricedApprovals(payment)];
  const isHeld = payment.held > 0n && before.length > 0;
  return isHeld || now.length === 0 ? before : now;
};

/** An amount in the currency of the transaction, and how it was converted. */
export type OriginalAmount = {
  amount: Amount;
  currency: string;
  decimals?: number | undefined;
  /** Absent where we have not converted all of it. */
  fx?: FxConversion | undefined;
  /** The part of the billed amount that is the mark-up. */
  markup: Amount;
  /** The event that tells what its amount is worth at the reference rate. */
  compared?: PaymentEvent | undefined;
};

/**
 * Returns the amount of a payment in the currency of the transaction. An amount of which a part was released or given back is its part of what was billed; one that was
 * declined or released whole is what was asked for first. An estimate of ours is what is held, or what was asked for in another currency.
 */
export const originalOf = (payment: Payment, billingCurrency: string): OriginalAmount => {
  const stated = payment.events.find(({ amount }) => amount !== undefined);
  const parts = partsOf(payment);
  const own = parts.filter(({ currency }) => currency === stated?.currency);
  const { currency = billingCurrency, decimals } = stated ?? {};
  const billed = sumOf(parts).billing;
  const made = isOfCredits(payment) ? paymentAmount(payment) : usageOf(payment);
  const madeUp = (amount: Amount): Amount => (made === 0n || billed === 0n ? amount : partOf({ amount: billed, billing: amount }, made));
  const inCurrency = sumOf(own).amount;
  const unbilled = currency === billingCurrency && made > 0n ? made : (stated?.amount ?? 0n);
  return {
    amount: inCurrency === 0n || made === 0n ? unbilled : madeUp(inCurrency),
    ...{ currency, decimals },
    fx: own.every(({ fx }) => fx !== undefined) ? own.at(-1)?.fx : undefined,
    markup: madeUp(own.reduce((sum, { markup = 0n }) => sum + markup, 0n)),
    compared: own.findLast(({ reference }) => reference !== undefined),
  };
};

/** The amounts that a payment has booked in another currency, by the id of the order: each is its part of what its event has billed. */
export const foreignBookingsOf = (payment: Payment, billingCurrency: string): Map<string, OriginalAmount> => {
  if (payment.events.every(({ currency = billingCurrency }) => currency === billingCurrency)) return new Map();
  const found = bookingsOf(payment).flatMap(({ id, amount: booked, event }): [string, OriginalAmount][] => {
    const { currency = billingCurrency, decimals, fx, markup = 0n, reference } = event;
    const { amount, billing } = billedBy(event);
    if (currency === billingCurrency || billing === 0n) return [];
    const part = (whole: Amount): Amount => partOf({ amount: billing, billing: whole }, booked);
    const compared = reference === undefined ? undefined : event;
    return [[id, { amount: part(amount), currency, decimals, fx, markup: part(markup), compared }]];
  });
  return new Map(found);
};
