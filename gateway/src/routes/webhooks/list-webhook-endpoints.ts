import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { toWebhookEndpoint, webhookEndpoint } from '../../schemas/webhook.ts';
import { webhooksOf } from './webhooks-of.ts';

export const listWebhookEndpoints = defineRoute({
  operationId: 'listWebhookEndpoints',
  method: 'get',
  path: '/webhook-endpoints',
  tag: 'Webhooks',
  summary: 'List webhook endpoints',
  description: 'Returns all endpoints of the partner, oldest first. Needs the scope `webhooks.read`.',
  policy: 'partner',
  answers: { 200: z.object({ data: z.array(webhookEndpoint) }) },
  errors: [],
  handler: async (_input, { upstream, asCaller }) => ({
    data: (await webhooksOf(upstream).listWebhookEndpoints({}, asCaller)).endpoints.map(toWebhookEndpoint),
  }),
});
