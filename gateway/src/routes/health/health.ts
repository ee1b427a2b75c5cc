import { z } from 'zod';
import { answerWith, defineRoute } from '../../http/define-route.ts';

export const getLiveness = defineRoute({
  operationId: 'getLiveness',
  method: 'get',
  path: '/health/live',
  tag: 'Health',
  summary: 'Check liveness',
  description: 'Returns 200 while the process runs.',
  policy: 'public',
  rateLimit: 'none',
  answers: { 200: z.object({ status: z.literal('ok') }) },
  errors: [],
  handler: () => ({ status: 'ok' as const }),
});

export const getReadiness = defineRoute({
  operationId: 'getReadiness',
  method: 'get',
  path: '/health/ready',
  tag: 'Health',
  summary: 'Check readiness',
  description: 'Returns 200 if all dependencies of the gateway are healthy, and otherwise 503 with the names of those that are not.',
  policy: 'public',
  rateLimit: 'none',
  answers: {
    200: z.object({ status: z.literal('ok') }),
    503: z.object({
      status: z.literal('unavailable'),
      down: z
        .array(z.enum(['redis', 'identity', 'card', 'ledger', 'threeds', 'vault']))
        .meta({ description: 'The dependencies that are unavailable' }),
    }),
  },
  errors: [],
  handler: async (_input, { upstream }) => {
    const down = await upstream.down();
    return down.length === 0 ? { status: 'ok' as const } : answerWith(503, { status: 'unavailable', down });
  },
});
