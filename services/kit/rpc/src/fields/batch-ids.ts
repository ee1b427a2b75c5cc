import { z } from 'zod';
import { uuidSchema } from './uuid.ts';

/** Most records that a batch RPC returns. */
const MAX_IDS = 100;

/** The ids of a batch RPC, each once. */
export const batchIdsSchema = z
  .array(uuidSchema)
  .max(MAX_IDS, `must have at most ${MAX_IDS} ids`)
  .transform((ids) => [...new Set(ids)]);
