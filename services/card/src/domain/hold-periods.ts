import { FUEL_PUMPS } from './merchant-rules.ts';
import type { EntryMode } from './payment.ts';

/** Days until a hold expires, by the terms that networks give merchants to clear. */
export type ExpiryDays = { online: number; cardPresent: number; lodging: number; mastercard: number; fuel: number };

type HoldPeriod = {
  /** The payments of the row, as the documentation names them. */
  payments: string;
  /** Merchant category codes (ISO 18245), first and last of each range. */
  categories?: readonly (readonly [first: string, last: string])[];
  network?: string;
  entryMode?: EntryMode;
  isEstimate?: true;
  days: keyof ExpiryDays;
};

/** Until when an authorization is held: the first row that fits a payment applies. */
export const HOLD_PERIODS: readonly HoldPeriod[] = [
  { payments: 'fuel pumps, until the amount is known', categories: FUEL_PUMPS, isEstimate: true, days: 'fuel' },
  {
    payments: 'lodging',
    categories: [
      ['3501', '3999'],
      ['7011', '7011'],
    ],
    days: 'lodging',
  },
  {
    payments: 'vehicle rental',
    categories: [
      ['3351', '3500'],
      ['7512', '7513'],
    ],
    days: 'lodging',
  },
  { payments: 'cruises', categories: [['4411', '4411']], days: 'lodging' },
  { payments: 'online, by the cardholder', entryMode: 'ecommerce', days: 'online' },
  { payments: 'all others by Mastercard', network: 'mastercard', days: 'mastercard' },
  { payments: 'all others', days: 'cardPresent' },
];

type HeldPayment = {
  merchant?: { categoryCode?: string } | undefined;
  entryMode?: EntryMode | undefined;
  network?: string | undefined;
  /** True if nobody knows the amount yet. */
  isEstimate?: true | undefined;
};

/** Days for which a payment is held. */
export const daysOfHold = (expiryDays: ExpiryDays, { merchant, entryMode, network, isEstimate }: HeldPayment): number => {
  const code = merchant?.categoryCode ?? '';
  const period = HOLD_PERIODS.find(
    (row) =>
      (row.categories?.some(([first, last]) => code >= first && code <= last) ?? true) &&
      (row.isEstimate ?? isEstimate) === isEstimate &&
      (row.network ?? network) === network &&
      (row.entryMode ?? entryMode) === entryMode,
  );
  return expiryDays[period?.days ?? 'cardPresent'];
};
