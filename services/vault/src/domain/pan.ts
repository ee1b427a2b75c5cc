/** A primary account number: 16 digits, the last one a check digit (ISO/IEC 7812-1). Never logged, and stored only encrypted. */
export const PAN_SHAPE = /^\d{16}$/;

const PAN_DIGITS = 16;
const CHECK_DIGITS = 1;

/** A range of numbers that the issuer may give out. */
export type NumberRange = {
  /** Leading digits: the BIN of six or eight digits (ISO/IEC 7812-1), or a longer prefix if the issuer owns only a part of the BIN. */
  prefix: string;
  /** Card network of the range, for example visa. */
  network: string;
};

/** How many different numbers a range has, as a power of ten. */
export const accountDigits = ({ prefix }: NumberRange): number => PAN_DIGITS - CHECK_DIGITS - prefix.length;

/** The digit that makes a number valid (Luhn, ISO/IEC 7812-1 annex B): every second digit from the right counts double. */
const checkDigit = (body: string): number => {
  const sum = [...body].reverse().reduce((total, digit, index) => {
    const weighted = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (weighted > 9 ? weighted - 9 : weighted);
  }, 0);
  return (10 - (sum % 10)) % 10;
};

/**
 * The number of a range with the given account digits.
 * @param account as many digits as `accountDigits` says
 */
export const panOf = (range: NumberRange, account: string): string => {
  const body = range.prefix + account;
  if (body.length !== PAN_DIGITS - CHECK_DIGITS) throw new Error('the account digits do not fit the range');
  return `${body}${checkDigit(body)}`;
};

/** A random number of a range. @param randomInt uniform in [min, max) */
export const randomPan = (range: NumberRange, randomInt: (min: number, max: number) => number): string => {
  const digits = Array.from({ length: accountDigits(range) }, () => randomInt(0, 10));
  return panOf(range, digits.join(''));
};

export const last4Of = (pan: string): string => pan.slice(-4);
