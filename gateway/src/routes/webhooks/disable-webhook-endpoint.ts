import { defineRoute } from '../../http/define-route.ts';
import { endpointParams, toWebhookEndpoint, webhookEndpoint } from '../../schemas/webhook.ts';
import { webhooksOf } from './webhooks-of.ts';

export const disableWebhookEndpoint = defineRoute({
  operationId: 'disableWebhookEndpoint',
  method: 'post',
  path: '/webhook-endpoints/{endpointId}/disable',
  tag: 'Webhooks',
  summary: 'Disable a webhook endpoint',
  description: 'Nothing is delivered until it is enabled; its place in the feed is kept. Needs the scope `webhooks.manage`.',
  policy: 'partner',
  params: endpointParams,
  answers: { 200: webhookEndpoint },
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
  handler: async ({ params }, { upstream, asCaller }) =>
    toWebhookEndpoint((await webhooksOf(upstream).disableWebhookEndpoint(params, asCaller)).endpoint),
});
