import type { Amount } from './amount.ts';

/**
 * Converts between scales, rounding toward zero: a remainder below one unit of the target is dropped.
 * @param amount in units of 10^-from
 * @returns in units of 10^-to
 */
export const toMinorUnits = (amount: Amount, from: number, to: number): Amount =>
  to >= from ? amount * 10n ** BigInt(to - from) : amount / 10n ** BigInt(from - to);
