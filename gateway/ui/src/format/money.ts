/** An amount as the platform sends it: a whole number of the smallest unit, and how many of its digits come after the point. */
export type Amount = Readonly<{ amount: string; decimals: number; currency: string }>;

type Sign = 'auto' | 'exceptZero';

const CACHE = new Map<string, Intl.NumberFormat>();

/** @param currency ISO 4217; undefined for a number with all of its digits */
const formatterOf = (locale: string, currency: string | undefined, sign: Sign): Intl.NumberFormat => {
  const key = `${locale} ${currency} ${sign}`;
  const kept = CACHE.get(key);
  if (kept !== undefined) return kept;
  const kind = currency === undefined ? { maximumFractionDigits: 20 } : { style: 'currency' as const, currency };
  const made = new Intl.NumberFormat(locale, { ...kind, signDisplay: sign });
  CACHE.set(key, made);
  return made;
};

/**
 * Converts a whole number of the smallest unit to a decimal text, for example `1250` with two decimals to `12.50`. Exact, because amounts of
 * tokens have more digits than a floating-point number.
 */
export const toDecimal = (amount: string, decimals: number): string => {
  const isNegative = amount.startsWith('-');
  const digits = (isNegative ? amount.slice(1) : amount).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals);
  return `${isNegative ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
};

/** Drops the digits after the currency's own ones: what is left of a token is not money that can be spent. */
const cutTo = (decimal: string, digits: number): string => {
  const [whole = '0', fraction = ''] = decimal.split('.');
  return digits === 0 || fraction === '' ? whole : `${whole}.${fraction.slice(0, digits)}`;
};

/** As wide as the plus, which a hyphen is not: columns of amounts stay aligned. */
const MINUS = '\u2212';

const write = (formatter: Intl.NumberFormat, decimal: string): string =>
  formatter
    // A decimal text is formatted exactly; a number would be rounded.
    .formatToParts(decimal as Intl.StringNumericLiteral)
    .map(({ type, value }) => (type === 'minusSign' ? MINUS : value))
    .join('');

/** Formats an amount of a token to its last digit, for example `1.234,5 EURe`. */
export const formatToken = (amount: string, decimals: number, token: string, locale: string, sign: Sign = 'auto'): string =>
  `${write(formatterOf(locale, undefined, sign), toDecimal(amount, decimals))}\u00a0${token}`.trim();

/** `Intl` knows the codes of ISO 4217, and throws at others. A token that is not configured any more stands in the place of its currency. */
const isCurrency = (code: string): boolean => /^[A-Za-z]{3}$/.test(code);

/**
 * Formats money for a reader, for example `12,50 €`.
 * @param sign `exceptZero` writes a plus before credits
 */
export const formatMoney = ({ amount, decimals, currency }: Amount, locale: string, sign: Sign = 'auto'): string => {
  if (!isCurrency(currency)) return formatToken(amount, decimals, currency, locale, sign);
  const formatter = formatterOf(locale, currency, sign);
  const digits = formatter.resolvedOptions().maximumFractionDigits ?? 2;
  return write(formatter, cutTo(toDecimal(amount, decimals), digits));
};

export const negate = (amount: string): string => (/^-?0+$/.test(amount) ? '0' : amount.startsWith('-') ? amount.slice(1) : `-${amount}`);

/** The character that separates the fraction where the reader lives. */
const decimalSeparator = (locale: string): string =>
  new Intl.NumberFormat(locale).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? '.';

/**
 * Reads an amount that a person typed, with the reader's separator or a point, for example `1.234,50` in German.
 * @returns a whole number of the smallest unit; undefined unless the text is an amount above zero with at most `decimals` digits after the separator
 */
export const parseMoney = (typed: string, decimals: number, locale: string): string | undefined => {
  const separator = decimalSeparator(locale);
  const grouping = separator === ',' ? '.' : ',';
  const text = typed.trim().replace(/[\s'’]/g, '');
  const hasSeparator = text.includes(separator);
  // A lone `12.50` of a reader with commas is an amount, not a group of thousands.
  const isPlain = !hasSeparator && new RegExp(`^\\d+\\${grouping}\\d{1,2}$`).test(text);
  const plain = isPlain ? text.replace(grouping, '.') : text.replaceAll(grouping, '').replace(separator, '.');
  if (!isPlain && text.includes(grouping) && !new RegExp(`^\\d{1,3}(?:\\${grouping}\\d{3})+(?:\\${separator}\\d*)?$`).test(text))
    return undefined;
  const match = /^(\d+)(?:\.(\d*))?$/.exec(plain);
  const [, whole = '', fraction = ''] = match ?? [];
  if (match === null || fraction.length > decimals) return undefined;
  const amount = `${whole}${fraction.padEnd(decimals, '0')}`.replace(/^0+(?=\d)/, '');
  return amount === '0' ? undefined : amount;
};

/** Writes an amount as a person would type it into a field, in the reader's groups of digits where `parseMoney` reads them. */
export const toTyped = (amount: string, decimals: number, locale: string): string => {
  const decimal = toDecimal(amount, decimals);
  const grouped = new Intl.NumberFormat(locale, { minimumFractionDigits: decimals, maximumFractionDigits: decimals }).format(
    decimal as Intl.StringNumericLiteral,
  );
  return parseMoney(grouped, decimals, locale) === amount ? grouped : decimal.replace('.', decimalSeparator(locale));
};

/** How many digits an amount of a currency has after the point: 2 for EUR, 0 for JPY. */
export const minorDigits = (currency: string): number => formatterOf('en', currency, 'auto').resolvedOptions().maximumFractionDigits ?? 2;
