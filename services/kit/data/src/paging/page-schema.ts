import { z } from 'zod';

const MAX_LIMIT = 100;
const DEFAULT_LIMIT = 50;

/** `florin.common.v1.PageRequest`, which may be absent: 1 to 100 rows, 50 when nothing is said, from the beginning without a cursor. */
export const pageSchema = z
  .object({ limit: z.int().min(0).max(MAX_LIMIT), cursor: z.string().max(64) })
  .default({ limit: 0, cursor: '' })
  .transform(({ limit, cursor }) => ({ limit: limit === 0 ? DEFAULT_LIMIT : limit, cursor }));
