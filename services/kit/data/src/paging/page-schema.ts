import { z } from 'zod';

const MAX_LIMIT = 100;
const DEFAULT_LIMIT = 50;

/** Schema of the optional `florin.common.v1.PageRequest`: 1 to 100 rows, 50 by default. An empty cursor selects the first page. */
export const pageSchema = z
  .object({ limit: z.int().min(0).max(MAX_LIMIT), cursor: z.string().max(64) })
  .default({ limit: 0, cursor: '' })
  .transform(({ limit, cursor }) => ({ limit: limit === 0 ? DEFAULT_LIMIT : limit, cursor }));
