/** Payments in one state only. */
export const SHOWN = ['pending', 'settled', 'declined'] as const;
export type Shown = (typeof SHOWN)[number];

/** The payments that a list is narrowed to, as the address of the screen says it. Days are the reader's, and both of them are part of the period. */
export type PaymentSearch = {
  show?: Shown;
  /** A part of the merchant's name. */
  merchant?: string;
  /** Merchant category code (ISO 18245), for all merchants of its kind. */
  category?: string;
  from?: string;
  to?: string;
};

export const MAX_MERCHANT = 40;

const CATEGORY = /^\d{4}$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

const isDay = (value: string): boolean => DAY.test(value) && !Number.isNaN(Date.parse(value));

/** The first moment of a day where the reader is, or of the day after it. */
const startOf = (day: string, daysLater = 0): string => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + daysLater).toISOString();
};

const CHECKS: Readonly<Record<keyof PaymentSearch, (value: string) => boolean>> = {
  show: (value) => SHOWN.some((one) => one === value),
  merchant: (value) => value !== '' && value.length <= MAX_MERCHANT,
  category: (value) => CATEGORY.test(value),
  from: isDay,
  to: isDay,
};

/** Reads a search from an address, or from a form, without what is empty or makes no sense. */
export const paymentSearchOf = (given: Readonly<Record<string, unknown>>): PaymentSearch => {
  const members = Object.entries(CHECKS).flatMap(([name, isRight]) => {
    // An address is read as JSON: digits are a number there.
    const text = String(given[name] ?? '').trim();
    return isRight(text) ? [[name, text]] : [];
  });
  return Object.fromEntries(members) as PaymentSearch;
};

/**
 * The filter of the interface that finds these payments.
 * @param codesOf the codes of all merchants of the kind that a code belongs to
 */
export const filterOf = ({ show, merchant, category, from, to }: PaymentSearch, codesOf: (code: string) => string) => ({
  ...(show === undefined ? {} : { status: show }),
  ...(merchant === undefined ? {} : { merchant }),
  ...(category === undefined ? {} : { categoryCode: codesOf(category) }),
  ...(from === undefined ? {} : { from: startOf(from) }),
  ...(to === undefined ? {} : { to: startOf(to, 1) }),
});
