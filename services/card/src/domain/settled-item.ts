import type { Amount } from '@florin/rpc/money';
import type { Exception } from './exception.ts';
import { isBookedAtOnce, type Payment, transactionIdsOf } from './payment.ts';
import { CHARGES, CREDITS, type PaymentEvent } from './payment-event.ts';
import { besideOf } from './record-single-message.ts';

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
    : [{ payment, event: first, billed: payment.cleared - besideOf(payment) }, ...reports];
};

/** Most by which a rate of the network differs from the program's, in parts of ten thousand. */
const SPREAD = 200n;

const magnitude = (amount: Amount): Amount => (amount < 0n ? -amount : amount);

/**
 * Reports whether the amount of an item is that of a report: as it was billed, as the network has said it settles, or as it was presented. Where the program has converted
 * and the network has said nothing, the amount is near what was billed without the mark-up.
 */
export const agrees = ({ amount, currency }: SettledItem, { event, billed }: Report, billingCurrency: string): boolean => {
  if (currency === billingCurrency && amount === billed) return true;
  const { settlementAmount, settlementCurrency } = event.network ?? {};
  if (settlementCurrency === currency && settlementAmount !== undefined) return String(magnitude(amount)) === settlementAmount;
  if (currency !== billingCurrency) return event.currency === currency && event.amount === magnitude(amount);
  const expected = magnitude(billed) - (event.markup ?? 0n);
  return event.fx !== undefined && magnitude(magnitude(amount) - expected) * 10_000n <= expected * SPREAD;
};

/** Reports whether the amount of an item is that of a report in suspense: as it was booked there, below zero for a charge, or as it was presented. */
export const agreesWithSuspense = (
  { amount, currency }: SettledItem,
  { suspended = 0n, originalAmount, originalCurrency }: Pick<Exception, 'suspended' | 'originalAmount' | 'originalCurrency'>,
  billingCurrency: string,
): boolean => {
  if (currency === billingCurrency) return amount === -suspended;
  return currency === originalCurrency && magnitude(amount) === originalAmount && amount > 0n === suspended < 0n;
};

/**
 * The reports that an item may belong to: the one with its id; or those with its acquirer reference; or those of its transaction that agree with it and have no other
 * reference. Without any, `guess` is the only report of the transaction: that of the item may be on its way still.
 */
export const reportsFor = (
  item: SettledItem,
  payments: readonly Payment[],
  billingCurrency: string,
): { reports: Report[]; guess?: Report | undefined } => {
  const { eventId, transactionId, acquirerReference, amount } = item;
  const alike = payments.flatMap(reportsOf).filter(({ billed }) => billed < 0n === amount < 0n);
  const named = eventId === undefined ? [] : alike.filter(({ event }) => event.id === eventId);
  if (named.length > 0) return { reports: named };
  const referenced = alike.filter(({ event }) => acquirerReference !== undefined && event.network?.acquirerReference === acquirerReference);
  if (referenced.length > 0) return { reports: referenced };
  const open = alike.filter(({ payment, event }) => {
    const other = acquirerReference !== undefined && event.network?.acquirerReference !== undefined;
    return transactionId !== undefined && transactionIdsOf(payment).includes(transactionId) && !other;
  });
  const reports = open.filter((report) => agrees(item, report, billingCurrency));
  return { reports, guess: open.length === 1 ? open[0] : undefined };
};
