import { z } from 'zod';
import { CodedError } from '../errors/index.ts';

/** A quantity of money in its smallest unit. Never a double, never an int64: 18-decimal tokens pass 2^63 at 9.2 units. */
export type Amount = bigint;

/** More than any token's supply, less than uint256: far from every limit, and short in a log. */
const MAX_DIGITS = 60;

const CANONICAL = /^(?:0|[1-9][0-9]*)$/;

/**
 * Reads a decimal integer string in the smallest unit.
 * @throws CodedError AMOUNT_INVALID unless it is canonical (no sign, point, exponent, leading zero) and above zero
 */
export const parseAmount = (text: string): Amount => {
  if (text.length > MAX_DIGITS || !CANONICAL.test(text) || text === '0') throw new CodedError('AMOUNT_INVALID');
  return BigInt(text);
};

/** The same rule as a schema, for requests where a bad amount is a validation error. */
export const amountSchema = z
  .string()
  .max(MAX_DIGITS)
  .regex(CANONICAL, 'must be an integer string in the smallest unit')
  .refine((text) => text !== '0', 'must be above zero');

/** `12345n` with 2 decimals → `123.45`. For people, not for programs. */
export const formatAmount = (amount: Amount, decimals: number): string => {
  if (decimals === 0) return amount.toString();
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, '0');
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
};
