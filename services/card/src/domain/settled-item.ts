import type { Amount } from '@florin/rpc/money';
import type { Payment } from './payment.ts';
import { CHARGES, CREDITS, type PaymentEvent } from './payment-event.ts';
import { isBookedAtOnce } from './record-single-message.ts';

/** A clearing or a refund as the card network settles it. */
export type SettledItem = {
  processor: string;
  /** Id of the settlement record, unique to its processor. */
  recordId: string;
  eventId?: string | undefined;
  transactionId?: string | undefined;
  acquirerReference?: string | undefined;
  /** In the minor unit of `currency`; below zero for a refund. */
  amount: Amount;
  currency: string;
};

/** A report that an item may belong to, with the amount that was billed for it: below zero for a credit. */
export type Report = { payment: Payment; event: PaymentEvent; billed: Amount };

const reportsOf = (payment: Payment): Report[] => {
  const reports = payment.events.flatMap((event): Report[] => {
    const { type, billing = 0n, duplicateOf } = event;
    if (duplicateOf !== undefined) return [];
    if (CHARGES.has(type) || type === 'second_presentment') return [{ payment, event, billed: billing }];
    return CREDITS.has(type) ? [{ payment, event, billed: -billing }] : [];
  });
  const first = payment.events.find(({ singleMessage }) => singleMessage === true);
  const isPresented = reports.some(({ event }) => event.type === 'clearing');
  // A booking at once is settled as it stands now, unless a clearing tells of it.
  return first === undefined || isPresented || !isBookedAtOnce(payment)
    ? reports
    : [{ payment, event: first, billed: payment.cleared }, ...reports];
};

/** Reports whether the amount of an item is that of a report: as it was billed, as the network has settled it, or as it was presented. */
export const agrees = ({ amount, currency }: SettledItem, { event, billed }: Report, billingCurrency: string): boolean => {
  if (currency === billingCurrency) return amount === billed;
  const absolute = amount < 0n ? -amount : amount;
  const { settlementAmount, settlementCurrency } = event.network ?? {};
  if (settlementCurrency === currency && settlementAmount !== undefined) return String(absolute) === settlementAmount;
  return event.currency === currency && event.amount === absolute;
};

/**
 * The reports that an item may belong to, likeliest first: the one with its id; or those with its acquirer reference; or those of its transaction that agree with it
 * and have no other reference; or the only one of the transaction.
 */
export const reportsFor = (item: SettledItem, payments: readonly Payment[], billingCurrency: string): Report[] => {
  const { eventId, transactionId, acquirerReference, amount } = item;
  const alike = payments.flatMap(reportsOf).filter(({ billed }) => billed < 0n === amount < 0n);
  const named = eventId === undefined ? [] : alike.filter(({ event }) => event.id === eventId);
  if (named.length > 0) return named;
  const referenced = alike.filter(({ event }) => acquirerReference !== undefined && event.network?.acquirerReference === acquirerReference);
  if (referenced.length > 0) return referenced;
  const open = alike.filter(({ payment, event }) => {
    const other = acquirerReference !== undefined && event.network?.acquirerReference !== undefined;
    return transactionId !== undefined && payment.transactionId === transactionId && !other;
  });
  const agreeing = open.filter((report) => agrees(item, report, billingCurrency));
  if (agreeing.length > 0) return agreeing;
  return open.length === 1 ? open : [];
};
