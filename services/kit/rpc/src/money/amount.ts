import { z } from 'zod';
import { CodedError } from '../errors/index.ts';

/** An amount of money in its smallest unit. Neither a double nor an int64 can hold it: a token with 18 decimals exceeds 2^63 at 9.2 units. */
export type Amount = bigint;

/** Maximum number of digits: more than any token's supply, less than uint256, and short enough for a log. */
const MAX_DIGITS = 60;

const CANONICAL = /^(?:0|[1-9][0-9]*)$/;

/**
 * Parses a decimal integer string in the smallest unit.
 * @throws CodedError AMOUNT_INVALID unless the text is canonical (no sign, point, exponent or leading zero) and above zero
 */
export const parseAmount = (text: string): Amount => {
  if (text.length > MAX_DIGITS || !CANONICAL.test(text) || text === '0') throw new CodedError('AMOUNT_INVALID');
  return BigInt(text);
};

/** The rule of `parseAmount` as a schema, for requests in which an invalid amount is a validation error. */
export const amountSchema = z
  .string()
  .max(MAX_DIGITS)
  .regex(CANONICAL, 'must be an integer string in the smallest unit')
  .refine((text) => text !== '0', 'must be above zero');

/** Formats an amount for people: `12345n` with 2 decimals becomes `123.45`. */
export const formatAmount = (amount: Amount, decimals: number): string => {
  if (decimals === 0) return amount.toString();
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, '0');
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
};
