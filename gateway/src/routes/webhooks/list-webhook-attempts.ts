import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { pageQuery, pagination, toPageRequest } from '../../schemas/page.ts';
import { endpointParams, toWebhookAttempt, webhookAttempt } from '../../schemas/webhook.ts';
import { webhooksOf } from './webhooks-of.ts';

export const listWebhookAttempts = defineRoute({
  operationId: 'listWebhookAttempts',
  method: 'get',
  path: '/webhook-endpoints/{endpointId}/attempts',
  tag: 'Webhooks',
  summary: 'List attempts to deliver',
  description: 'Returns the attempts of the last days, newest first. Needs the scope `webhooks.read`.',
  policy: 'partner',
  params: endpointParams,
  query: pageQuery.extend({
    sequence: z
      .string()
      .regex(/^[1-9]\d{0,14}$/, 'must be the place of an event')
      .optional()
      .meta({ description: 'Only attempts to deliver the event in this place' }),
  }),
  answers: { 200: z.object({ data: z.array(webhookAttempt), pagination }) },
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
  handler: async ({ params, query }, { upstream, asCaller }) => {
    const { sequence, ...page } = query;
    const request = { ...params, ...toPageRequest(page), sequence: BigInt(sequence ?? 0) };
    const { attempts, nextCursor } = await webhooksOf(upstream).listWebhookAttempts(request, asCaller);
    const next = nextCursor === '' ? null : nextCursor;
    return { data: attempts.map(toWebhookAttempt), pagination: { nextCursor: next, hasNext: next !== null } };
  },
});
