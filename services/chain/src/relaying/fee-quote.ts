/** The price that a transaction offers, in wei per gas (EIP-1559). */
export type FeeQuote = { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint };

/** Nodes take a replacement only if both fees are at least 10 % higher; 25 % also outbids what others offer meanwhile. */
const RAISE_PERCENT = 125n;
const PERCENT = 100n;

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);
const raised = (fee: bigint): bigint => (fee * RAISE_PERCENT) / PERCENT + 1n;

/**
 * Fees of a transaction: room for the base fee to double, and more than the transaction that it replaces.
 * @param current what the node reports
 * @param replaced fees of the transaction of the same nonce that is stuck
 * @param limit most wei per gas that is ever offered
 * @returns undefined when a replacement would exceed the limit: the stuck one stays
 */
export const quoteFees = (current: { baseFee: bigint; tip: bigint }, limit: bigint, replaced?: FeeQuote): FeeQuote | undefined => {
  const [tip, most] = [current.tip, 2n * current.baseFee + current.tip];
  if (replaced === undefined) {
    const maxFeePerGas = most < limit ? most : limit;
    return { maxFeePerGas, maxPriorityFeePerGas: tip < maxFeePerGas ? tip : maxFeePerGas };
  }
  const quote = {
    maxFeePerGas: larger(most, raised(replaced.maxFeePerGas)),
    maxPriorityFeePerGas: larger(tip, raised(replaced.maxPriorityFeePerGas)),
  };
  return quote.maxFeePerGas > limit || quote.maxPriorityFeePerGas > limit ? undefined : quote;
};
