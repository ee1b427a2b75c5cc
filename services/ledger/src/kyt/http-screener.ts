import type { JsonHttp } from '@florin/rpc/json-http';
import { z } from 'zod';
import type { KytScreener } from './screener.ts';

const answerSchema = z.object({
  result: z.enum(['approve', 'reject', 'hold']),
  riskScore: z.int().min(0).max(100),
  riskTier: z.string().min(1).max(64),
});

/**
 * A provider that takes `POST /screenings` and answers `{result, riskScore, riskTier}`. The deposit's id in the body is the key:
 * asked again, it answers how the same screening stands by then. It gets no Idempotency-Key, which would repeat an old `hold`.
 */
export const createHttpScreener = (http: JsonHttp): KytScreener => ({
  screen: async (deposit) => answerSchema.parse(await http.post('/screenings', deposit)),
});
