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
 * earlier `hold`. `POST /recipients` returns the same about the recipient of a withdrawal.
 */
export const createHttpKytScreener = (http: JsonHttp): KytScreener => ({
  screen: async (deposit) => answerSchema.parse(await http.post('/screenings', deposit)),
  screenRecipient: async (recipient) => answerSchema.parse(await http.post('/recipients', recipient)),
});
