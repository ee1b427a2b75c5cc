import type { Amount } from '@florin/rpc/money';
import { approvedIn, approvedRequests, eventsOfAttempt, type Payment } from './payment.ts';
import type { PaymentEvent, PaymentEventType } from './payment-event.ts';

/** The amount that was approved in a currency, and what was billed for it; undefined if it was approved in none, or in another one. */
const approvedOf = (payment: Payment, currency: string): { approved: Amount; billing: Amount } | undefined => {
  const approved = approvedIn(payment, currency);
  if (approved === undefined || approved === 0n) return undefined;
  return { approved, billing: approvedRequests(payment).reduce((sum, { decision }) => sum + (decision?.billing ?? 0n), 0n) };
};

/** The approved amount, in the billing currency and in that of an event whose amount we convert; undefined when that is another one. */
const approvedAlike = (payment: Payment, { amount, currency, fx }: PaymentEvent) => {
  // An advice tells what is held.
  const latest = eventsOfAttempt(payment).findLast(
    ({ type, ...one }) => type === 'advice' || (one.isEstimate === true && one.decision?.decline === undefined),
  );
  const isEstimate = latest?.isEstimate === true;
  if ((fx === undefined && !isEstimate) || amount === undefined || currency === undefined) return undefined;
  const approved = approvedOf(payment, currency);
  return approved && { ...approved, amount, currency };
};

/**
 * The amount that a reversal releases, in the billing currency; undefined for all. An amount that we convert or estimate ourselves is converted as the authorization was,
 * whatever the rate is now: the reversal of all that was approved and not cleared releases all that is held. The parts that several reversals release
 * add up.
 */
export const reversedAmount = (payment: Payment, event: PaymentEvent): Amount | undefined => {
  const alike = approvedAlike(payment, event);
  if (alike === undefined) return event.billing;
  const { approved, billing, amount, currency } = alike;
  const sumOf = (type: PaymentEventType): Amount =>
    payment.events.reduce(
      (sum, one) => (one.type === type && one.currency === currency && one.duplicateOf === undefined ? sum + (one.amount ?? 0n) : sum),
      0n,
    );
  const before = sumOf('reversal');
  if (before + sumOf('clearing') + amount >= approved) return undefined;
  return (billing * (before + amount)) / approved - (billing * before) / approved;
};

/** An amount in the billing currency, at the rate at which the payment was approved; undefined if it was approved in no currency, or in another one. */
export const atApprovedRate = (payment: Payment, { amount, currency }: { amount: Amount; currency: string }): Amount | undefined => {
  const found = approvedOf(payment, currency);
  return found && (found.billing * amount) / found.approved;
};

/** An event's amount in the billing currency, converted as the authorization was: the amount that was approved is what was billed for it. */
export const billingAsApproved = (payment: Payment, event: PaymentEvent): Amount => {
  const alike = approvedAlike(payment, event);
  return alike === undefined ? (event.billing ?? 0n) : (alike.billing * alike.amount) / alike.approved;
};
