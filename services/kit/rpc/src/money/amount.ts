import { z } from 'zod';
import { CodedError } from '../errors/index.ts';

/** An amount of money in its smallest unit. Neither a double nor an int64 can hold it: a token with 18 decimals exceeds 2^63 at 9.2 units. */
export type Amount = bigint;

/** Maximum number of digits: more than any token's supply, less than uint256, and short enough for a log. */
const MAX_DIGITS = 60;

const CANONICAL = /^(?:0|[1-9][0-9]*)$/;

/** What is wrong with an amount, in the metadata of AMOUNT_INVALID as `amountProblem`. */
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
