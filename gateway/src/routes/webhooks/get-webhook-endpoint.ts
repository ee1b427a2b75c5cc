import { defineRoute } from '../../http/define-route.ts';
import { endpointParams, toWebhookEndpoint, webhookEndpoint } from '../../schemas/webhook.ts';
import { webhooksOf } from './webhooks-of.ts';

export const getWebhookEndpoint = defineRoute({
  operationId: 'getWebhookEndpoint',
  method: 'get',
  path: '/webhook-endpoints/{endpointId}',
  tag: 'Webhooks',
  summary: 'Get a webhook endpoint',
  description: 'Needs the scope `webhooks.read`.',
  policy: 'partner',
  params: endpointParams,
  answers: { 200: webhookEndpoint },
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
  handler: async ({ params }, { upstream, asCaller }) =>
    toWebhookEndpoint((await webhooksOf(upstream).getWebhookEndpoint(params, asCaller)).endpoint),
});
