import { defineRoute } from '../../http/define-route.ts';
import { endpointParams, toWebhookEndpoint, webhookEndpoint } from '../../schemas/webhook.ts';
import { webhooksOf } from './webhooks-of.ts';

export const enableWebhookEndpoint = defineRoute({
  operationId: 'enableWebhookEndpoint',
  method: 'post',
  path: '/webhook-endpoints/{endpointId}/enable',
  tag: 'Webhooks',
  summary: 'Enable a webhook endpoint',
  description: 'Deliveries go on with the first event that was not delivered. Needs the scope `webhooks.manage`.',
  policy: 'partner',
  params: endpointParams,
  answers: { 200: webhookEndpoint },
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
  handler: async ({ params }, { upstream, asCaller }) =>
    toWebhookEndpoint((await webhooksOf(upstream).enableWebhookEndpoint(params, asCaller)).endpoint),
});
