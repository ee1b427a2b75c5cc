import type { Amount } from '@florin/rpc/money';

/** A rate as a decimal string: units of one currency for one unit of another. */
const RATE = /^(?:0|[1-9][0-9]{0,11})(?:\.[0-9]{1,12})?$/;

/** Reports whether a text is a rate: a decimal above zero with at most 12 digits on each side of the point. */
export const isRate = (text: string): boolean => RATE.test(text) && /[1-9]/.test(text);

const BASIS_POINTS = 10_000n;

/**
 * Converts an amount between minor units, with a mark-up. Rounds up, or down: whoever splits an amount gains nothing.
 * @param rate units of the target currency for one unit of the source currency
 * @param from decimals of the source currency
 * @param to decimals of the target currency
 */
export const convert = (
  amount: Amount,
  {
    rate,
    markupBasisPoints,
    from,
    to,
    isRoundedDown = false,
  }: { rate: string; markupBasisPoints: number; from: number; to: number; isRoundedDown?: boolean },
): Amount => {
  const [whole = '0', fraction = ''] = rate.split('.');
  const numerator = amount * BigInt(whole + fraction) * (BASIS_POINTS + BigInt(markupBasisPoints)) * 10n ** BigInt(to);
  const denominator = 10n ** BigInt(fraction.length) * BASIS_POINTS * 10n ** BigInt(from);
  return isRoundedDown ? numerator / denominator : (numerator + denominator - 1n) / denominator;
};

/**
 * How far a billed amount is above the same amount at a reference rate, in basis points, rounded half up; negative when it is below. Undefined for an amount
 * of nothing.
 */
export const overReference = (
  { amount, billing }: { amount: Amount; billing: Amount },
  { rate, from, to }: { rate: string; from: number; to: number },
): number | undefined => {
  const [whole = '0', fraction = ''] = rate.split('.');
  const atRate = amount * BigInt(whole + fraction) * 10n ** BigInt(to);
  if (atRate === 0n) return undefined;
  const billed = billing * 10n ** BigInt(fraction.length + from);
  return Number((2n * BASIS_POINTS * billed + atRate) / (2n * atRate) - BASIS_POINTS);
};
