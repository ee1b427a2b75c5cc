import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';

export const getLiveness = defineRoute({
  operationId: 'getLiveness',
  method: 'get',
  path: '/health/live',
  tag: 'Health',
  summary: 'Whether the process answers',
  policy: 'public',
  rateLimit: 'none',
  answers: { 200: z.object({ status: z.literal('ok') }) },
  errors: [],
  handler: () => ({ status: 'ok' as const }),
});
