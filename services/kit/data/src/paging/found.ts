import { z } from 'zod';

const MAX_LIMIT = 100;
const DEFAULT_LIMIT = 20;

/** Schema of the most results that an RPC `Find…` returns: 1 to 100, and 20 for zero. */
export const findLimitSchema = z
  .int()
  .min(0)
  .max(MAX_LIMIT)
  .transform((limit) => (limit === 0 ? DEFAULT_LIMIT : limit));

/** What was found of everything that was looked for. */
export type Found<R> = { rows: R[]; hasMore: boolean };

/**
 * Cuts what was found to its limit.
 * @param found up to `limit` + 1 rows; the extra row indicates that there are more
 */
export const cutFound = <R>(found: readonly R[], limit: number): Found<R> => ({
  rows: found.slice(0, limit),
  hasMore: found.length > limit,
});
