import type { Amount } from '@florin/rpc/money';
import { atApprovedRate, ofTypes, overClearedOf, partOf } from './approved-amount.ts';
import { atMost } from './event-change.ts';
import type { Payment } from './payment.ts';
import type { PaymentEvent } from './payment-event.ts';
import { besideOf } from './record-single-message.ts';

/**
 * By how many percent clearings may exceed what was authorized, by the merchant's trade. For taxis, restaurants, beauty and travel these are the differences that Visa
 * permits (Visa Core Rules, "Difference between Authorization Amount and Transaction Amount").
 */
export type ClearingTolerance = { tips: number; travel: number; others: number };

type Codes = readonly (readonly [first: string, last: string])[];

/** Terminals that authorize before anybody knows the amount. */
export const FUEL_PUMPS: Codes = [['5542', '5542']];

/**
 * Transit, which authorizes a nominal amount or one tap, and clears the fares of a day or more (Visa Mobility and Transport Transaction, Mastercard contactless transit
 * aggregated transaction). Up to the amount of a country that networks call its chargeback threshold, an issuer has to accept it.
 */
const TRANSIT: Codes = [
  ['4111', '4112'],
  ['4131', '4131'],
];

type ToleranceRow = {
  /** The payments of the row, as the documentation names them. */
  payments: string;
  /** Merchant category codes (ISO 18245), first and last of each range. */
  categories?: Codes;
  percent: keyof ClearingTolerance;
};

/** The tolerance of a payment is that of the first row that fits. */
export const CLEARING_TOLERANCES: readonly ToleranceRow[] = [
  { payments: 'restaurants and bars', categories: [['5811', '5814']], percent: 'tips' },
  { payments: 'taxis', categories: [['4121', '4121']], percent: 'tips' },
  {
    payments: 'hairdressers, beauty and massage',
    categories: [
      ['7230', '7230'],
      ['7297', '7298'],
    ],
    percent: 'tips',
  },
  {
    payments: 'vehicle rental, lodging, cruises',
    categories: [
      ['3351', '3999'],
      ['4411', '4411'],
      ['7011', '7011'],
      ['7512', '7513'],
    ],
    percent: 'travel',
  },
  { payments: 'all others', percent: 'others' },
];

type OfMerchant = { merchant?: { categoryCode?: string } | undefined };

const isAmong = (categories: Codes, { merchant }: OfMerchant): boolean => {
  const code = merchant?.categoryCode ?? '';
  return categories.some(([first, last]) => code >= first && code <= last);
};

/**
 * Reports whether an authorization only asks for the state of the card before fuel is pumped: it is for one unit of its currency at most, and the advice or the
 * clearing has the amount.
 */
export const isFuelRequest = ({ amount, decimals }: { amount: Amount; decimals: number }, merchant: OfMerchant['merchant']): boolean =>
  isAmong(FUEL_PUMPS, { merchant }) && amount <= 10n ** BigInt(decimals);

/**
 * The part of a clearing that exceeds what was authorized by more than is tolerated; undefined where there is none, or nothing was held. Amounts in the currency of the
 * authorization are compared in it: that its rate has moved exceeds nothing.
 */
export const overTolerance = (
  { clearingTolerance, transitUpTo }: { clearingTolerance: ClearingTolerance; transitUpTo: Amount },
  payment: Payment | undefined,
  event: PaymentEvent,
): Amount | undefined => {
  if (event.type !== 'clearing' || payment?.holdId === undefined || payment.ended !== undefined) return undefined;
  const { held, cleared, events } = payment;
  const worthOf = ({ amount, currency, billing = 0n }: PaymentEvent): Amount =>
    amount === undefined || currency === undefined ? billing : (atApprovedRate(payment, { amount, currency }) ?? billing);
  const before = ofTypes(events, 'clearing').reduce((sum, one) => sum + worthOf(one) - (one.billing ?? 0n), cleared);
  const row = CLEARING_TOLERANCES.find(({ categories }) => categories === undefined || isAmong(categories, payment));
  const authorized = held + cleared - overClearedOf(payment);
  const byPercent = (authorized * BigInt(100 + clearingTolerance[row?.percent ?? 'others'])) / 100n;
  const byAmount = isAmong(TRANSIT, payment) ? transitUpTo + besideOf(payment) : 0n;
  const tolerated = byPercent < byAmount ? byAmount : byPercent;
  const worth = worthOf(event);
  const over = before + worth - tolerated;
  return over > 0n && worth > 0n ? partOf({ amount: worth, billing: event.billing ?? 0n }, atMost(over, worth)) : undefined;
};
