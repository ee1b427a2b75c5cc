import type { Amount } from '@florin/rpc/money';
import { atMost } from './event-change.ts';
import {
  approvedRequests,
  eventsOfAttempt,
  isBookedAtOnce,
  isOfIncreases,
  isUndone,
  knowsApproval,
  type Payment,
  withUndone,
} from './payment.ts';
import { isConverted, type PaymentEvent, type PaymentEventType } from './payment-event.ts';

/** An amount of one currency with what was billed for it. */
export type Billed = { amount: Amount; billing: Amount };

/** The part of what was billed that belongs to a part of its amount; rounded down. */
export const partOf = ({ amount: whole, billing }: Billed, amount: Amount): Amount => (billing * amount) / whole;

/** The amount that an event has approved, or else states. */
export const billedBy = ({ decision, amount = 0n, billing = 0n }: PaymentEvent): Billed => decision ?? { amount, billing };

const NOTHING: Billed = { amount: 0n, billing: 0n };

const plus = (one: Billed, other: Billed): Billed => ({ amount: one.amount + other.amount, billing: one.billing + other.billing });

/** The amounts of events together, whatever their currencies are. */
export const sumOf = (events: readonly PaymentEvent[]): Billed => events.map(billedBy).reduce(plus, NOTHING);

/** The events of some types, without those that repeat others, and those by which the processor undoes its requests. */
export const ofTypes = (events: readonly PaymentEvent[], ...types: readonly PaymentEventType[]): readonly PaymentEvent[] =>
  events.filter(
    ({ type, duplicateOf, undoneRequestId }) => types.includes(type) && duplicateOf === undefined && undoneRequestId === undefined,
  );

/** The part that stands of the amount approved under the transaction id of an event, which is that of increases. An advice replaces it. */
export const increasedBy = (payment: Payment, { transactionId }: PaymentEvent): Billed =>
  ofTypes(eventsOfAttempt(payment), 'increment', 'advice', 'reversal', 'expiry')
    .filter((one) => one.transactionId === transactionId && !isUndone(payment, one.id))
    .reduce((standing, one) => {
      if (one.type === 'advice') return billedBy(one);
      if (one.type === 'increment') return plus(standing, billedBy(one));
      const left = standing.billing - atMost(standing.billing, one.billing ?? 0n);
      return left === 0n ? NOTHING : { amount: partOf({ amount: standing.billing, billing: standing.amount }, left), billing: left };
    }, NOTHING);

/** The events of the latest attempt since its latest advice of the whole, which replaces what was approved and reversed before it; without one, all of them. */
const sinceAdvice = (payment: Payment): readonly PaymentEvent[] => {
  const events = eventsOfAttempt(payment);
  const latest = ofTypes(events, 'advice').findLast((advice) => !isOfIncreases(payment, advice));
  return latest === undefined ? events : events.slice(events.indexOf(latest));
};

/** The events that make up what is approved: the latest advice, and the requests that were approved after it. */
const approvals = (payment: Payment): readonly PaymentEvent[] => {
  const requests = approvedRequests(payment);
  return sinceAdvice(payment).filter((event) => (event.type === 'advice' && event.duplicateOf === undefined) || requests.includes(event));
};

/** The part that stands of increases under transaction ids of their own, beyond the amount that the latest advice of the whole has replaced. */
const increasesOf = (payment: Payment): Billed => {
  const latest = sinceAdvice(payment);
  const replaced = { ...payment, events: payment.events.slice(0, -latest.length) };
  const byId = new Map(latest.filter((event) => isOfIncreases(payment, event)).map((event) => [event.transactionId, event]));
  return [...byId.values()].reduce((sum, event) => {
    const [now, before] = [increasedBy(payment, event), increasedBy(replaced, event)];
    return plus(sum, { amount: now.amount - before.amount, billing: now.billing - before.billing });
  }, NOTHING);
};

/** The amount cleared beyond what is held that no increase since has covered. One that was undone or reversed covers nothing. */
export const overClearedOf = (payment: Payment): Amount => {
  const { overCleared = 0n, events } = payment;
  const at = events.findLastIndex(knowsApproval) + 1;
  const [latest, former] = [events.slice(at), { ...payment, events: events.slice(0, at) }];
  const requests = approvedRequests(payment).filter((one) => one.type === 'increment' && latest.includes(one));
  const covered = requests.filter((one) => !isOfIncreases(payment, one)).reduce((sum, one) => sum + billedBy(one).billing, 0n);
  const byId = new Map(requests.filter((one) => isOfIncreases(payment, one)).map((one) => [one.transactionId, one]));
  const left = [...byId.values()].reduce((sum, one) => {
    const more = increasedBy(payment, one).billing - increasedBy(former, one).billing;
    return more > 0n ? sum - more : sum;
  }, overCleared - covered);
  return left > 0n ? left : 0n;
};

/** The approved amount, with what was reversed of it. Of increases under transaction ids of their own, what stands. */
const approved = (payment: Payment): Billed =>
  plus(sumOf(approvals(payment).filter((event) => !isOfIncreases(payment, event))), increasesOf(payment));

/** The amount that is approved by now, in the billing currency, with what reversals of the whole have released of it. */
export const approvedAmount = (payment: Payment): Amount => approved(payment).billing;

/** The reversals that concern the whole of what is approved. */
export const reversalsOf = (payment: Payment, events = payment.events): readonly PaymentEvent[] =>
  ofTypes(events, 'reversal').filter((event) => !isOfIncreases(payment, event));

const isEstimate = (event: PaymentEvent): boolean => event.isEstimate === true;

/**
 * The approvals by which other amounts are converted, also undone ones: a late clearing shows that the answer was used. An amount that is held while the true one is unknown
 * sets no rate.
 */
export const pricedApprovals = (payment: Payment): readonly PaymentEvent[] =>
  approvals(withUndone(payment)).filter((event) => !isEstimate(event));

/** The amounts of events together; undefined where there is none, or a part is in another currency. */
const sumIn = (events: readonly PaymentEvent[], currency: string): Billed | undefined => {
  if (events.some((event) => event.currency !== currency)) return undefined;
  const sum = sumOf(events);
  return sum.amount === 0n ? undefined : sum;
};

/** An amount in the billing currency, at the rate at which the payment was approved; undefined if it was approved in no currency, or in another one. */
export const atApprovedRate = (payment: Payment, { amount, currency }: { amount: Amount; currency: string }): Amount | undefined => {
  const approved = sumIn(pricedApprovals(payment), currency);
  return approved && partOf(approved, amount);
};

/** An event whose amount we convert, billed as the payment was approved: the amount that was approved is worth what was billed for it, whatever the rate is now. */
export const billedAsApproved = (payment: Payment, event: PaymentEvent): PaymentEvent => {
  const { amount, currency } = event;
  if (!isConverted(event) || amount === undefined || currency === undefined) return event;
  const approved = pricedApprovals(payment);
  const whole = sumIn(approved, currency);
  if (whole === undefined) return event;
  const { fx: _present, markup: _ofPresent, ...stated } = event;
  const fx = approved.findLast((one) => one.fx !== undefined)?.fx;
  const markup = partOf({ ...whole, billing: approved.reduce((sum, one) => sum + (one.markup ?? 0n), 0n) }, amount);
  return {
    ...stated,
    billing: partOf(whole, amount),
    ...(fx === undefined ? { withoutRate: true } : { fx }),
    ...(markup === 0n ? {} : { markup }),
  };
};

/** The same for a clearing that is the record of what was booked at once: it books nothing unless it is for a larger amount. */
export const billedAsBooked = (payment: Payment, event: PaymentEvent): PaymentEvent =>
  event.type === 'clearing' && isBookedAtOnce(payment) ? billedAsApproved(payment, event) : event;

/**
 * The amount that a reversal releases, in the billing currency; undefined for all. An amount that we convert or estimate ourselves is its part of what is approved: the
 * reversal of all that was approved and not cleared releases all that is held. The parts that several reversals release add up.
 */
export const reversedAmount = (payment: Payment, event: PaymentEvent): Amount | undefined => {
  const { amount, currency, billing } = event;
  const approvedBy = approvals(payment);
  if (amount === undefined || currency === undefined || !(isConverted(event) || approvedBy.some(isEstimate))) return billing;
  const whole = approved(payment);
  if (whole.amount === 0n || approvedBy.some((one) => one.currency !== currency)) return billing;
  const stated = (events: readonly PaymentEvent[]): Amount =>
    events.reduce((sum, one) => (one.currency === currency ? sum + (one.amount ?? 0n) : sum), 0n);
  const before = stated(reversalsOf(payment, sinceAdvice(payment)));
  // Of what was booked at once, a clearing leaves nothing that is held.
  const cleared = isBookedAtOnce(payment) ? 0n : stated(ofTypes(eventsOfAttempt(payment), 'clearing'));
  if (before + cleared + amount >= whole.amount) return undefined;
  return partOf(whole, before + amount) - partOf(whole, before);
};
