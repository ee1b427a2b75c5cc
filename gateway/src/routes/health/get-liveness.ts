import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';

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
