/** The price that a transaction offers, in wei per gas (EIP-1559). */
export type FeeQuote = { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint };

/** Most that is ever offered, in wei per gas: together, and as the tip, all of which is paid whatever the block costs. */
export type FeeLimit = { fee: bigint; tip: bigint };

/** Nodes take a replacement only if both fees are at least 10 % higher; 25 % also outbids what others offer meanwhile. */
const RAISE_PERCENT = 125n;
const PERCENT = 100n;

const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);
const raised = (fee: bigint): bigint => (fee * RAISE_PERCENT) / PERCENT + 1n;

/**
 * Fees of a transaction: room for the base fee to double, and more than the transaction that it replaces.
 * @param current what the node reports
 * @param replaced fees of the transaction of the same nonce that is stuck
 * @param limit most wei per gas that is ever offered, and most of it that is a tip
 * @returns undefined when a replacement would exceed the limit: the stuck one stays
 */
export const quoteFees = (current: { baseFee: bigint; tip: bigint }, limit: FeeLimit, replaced?: FeeQuote): FeeQuote | undefined => {
  const tip = smaller(current.tip, limit.tip);
  const most = 2n * current.baseFee + tip;
  if (replaced === undefined) {
    const maxFeePerGas = smaller(most, limit.fee);
    return { maxFeePerGas, maxPriorityFeePerGas: smaller(tip, maxFeePerGas) };
  }
  const quote = {
    maxFeePerGas: larger(most, raised(replaced.maxFeePerGas)),
    maxPriorityFeePerGas: larger(tip, raised(replaced.maxPriorityFeePerGas)),
  };
  return quote.maxFeePerGas > limit.fee || quote.maxPriorityFeePerGas > limit.tip ? undefined : quote;
};
