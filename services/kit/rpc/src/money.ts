import { z } from 'zod';
import { CodedError } from './errors/index.ts';

/** An amount of money in its smallest unit. Neither a double nor an int64 can hold it: a token with 18 decimals exceeds 2^63 at 9.2 units. */
export type Amount = bigint;

/** Maximum number of digits: more than any token's supply, less than uint256, and short enough for a log. */
const MAX_DIGITS = 60;

const CANONICAL = /^(?:0|[1-9][0-9]*)$/;

/** The fault of an amount, in the metadata of AMOUNT_INVALID as `amountProblem`. */
const problemOf = (text: string): 'not_an_integer' | 'too_large' | 'zero' | undefined => {
  if (text === '0') return 'zero';
  if (!CANONICAL.test(text)) return 'not_an_integer';
  return text.length > MAX_DIGITS ? 'too_large' : undefined;
};

/**
 * Parses a decimal integer string in the smallest unit.
 * @throws CodedError AMOUNT_INVALID, with `amountProblem`, unless the text is canonical (no sign, point, exponent or leading zero), above
 * zero and has at most 60 digits
 */
export const parseAmount = (text: string): Amount => {
  const amountProblem = problemOf(text);
  if (amountProblem !== undefined) throw new CodedError('AMOUNT_INVALID', { metadata: { amountProblem } });
  return BigInt(text);
};

/** The rule of `parseAmount` as a schema, for requests in which an invalid amount is a validation error. */
export const amountSchema = z
  .string()
  .max(MAX_DIGITS)
  .regex(/^[1-9][0-9]*$/, 'must be a positive integer in the smallest unit, without sign, point or leading zeros');

/** Formats an amount for people: `12345n` with 2 decimals becomes `123.45`. */
export const formatAmount = (amount: Amount, decimals: number): string => {
  if (decimals === 0) return amount.toString();
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, '0');
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
};

/**
 * Converts between scales, rounding toward zero: a remainder below one unit of the target is dropped.
 * @param amount in units of 10^-from
 * @returns in units of 10^-to
 */
export const toMinorUnits = (amount: Amount, from: number, to: number): Amount =>
  to >= from ? amount * 10n ** BigInt(to - from) : amount / 10n ** BigInt(from - to);

/**
 * Active currency codes of ISO 4217 (list one) by the digits of their minor unit. Funds, precious metals, and codes without a minor unit
 * (such as XAU and XDR) are left out: no card payment is made in them.
 */
const CODES_BY_DIGITS: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  2:
    'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY COP COU CRC CUP ' +
    'CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD ' +
    'KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR ' +
    'PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU ' +
    'UZS VED VES WST XCD XCG YER ZAR ZMW ZWG',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};

const MINOR_UNIT_DIGITS: ReadonlyMap<string, number> = new Map(
  Object.entries(CODES_BY_DIGITS).flatMap(([digits, codes]) => codes.split(' ').map((code) => [code, Number(digits)])),
);

/** The active currency codes, in alphabetical order. */
export const currencyCodes = (): string[] => [...MINOR_UNIT_DIGITS.keys()].sort();

/** Digits after the decimal point of a currency's minor unit (ISO 4217): EUR 2, JPY 0. Undefined for an unknown code. */
export const minorUnitDigits = (currency: string): number | undefined => MINOR_UNIT_DIGITS.get(currency);
