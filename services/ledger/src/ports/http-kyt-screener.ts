import type { JsonHttp } from '@florin/rpc/json-http';
import { z } from 'zod';
import type { KytScreener } from './kyt-screener.ts';

const answerSchema = z.object({
  result: z.enum(['approve', 'reject', 'hold']),
  riskScore: z.int().min(0).max(100),
  riskTier: z.string().min(1).max(64),
});

/**
 * Creates a screener that sends deposits to a provider: `POST /screenings` returns `{result, riskScore, riskTier}`. The deposit's id in
 * the body identifies the screening; repeated requests return its current state. They carry no Idempotency-Key, which would replay an
 * earlier `hold`.
 */
export const createHttpKytScreener = (http: JsonHttp): KytScreener => ({
  screen: async (deposit) => answerSchema.parse(await http.post('/screenings', deposit)),
});
