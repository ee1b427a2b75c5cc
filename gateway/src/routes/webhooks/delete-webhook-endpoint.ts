import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { endpointParams } from '../../schemas/webhook.ts';
import { webhooksOf } from './webhooks-of.ts';

export const deleteWebhookEndpoint = defineRoute({
  operationId: 'deleteWebhookEndpoint',
  method: 'delete',
  path: '/webhook-endpoints/{endpointId}',
  tag: 'Webhooks',
  summary: 'Delete a webhook endpoint',
  description: 'An endpoint that does not exist is deleted already. Needs the scope `webhooks.manage`.',
  policy: 'partner',
  params: endpointParams,
  answers: { 200: z.object({ success: z.literal(true) }) },
  errors: [],
  handler: async ({ params }, { upstream, asCaller }) => {
    await webhooksOf(upstream).deleteWebhookEndpoint(params, asCaller);
    return { success: true as const };
  },
});
