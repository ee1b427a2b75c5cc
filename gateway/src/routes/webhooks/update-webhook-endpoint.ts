import { defineRoute } from '../../http/define-route.ts';
import { endpointParams, toWebhookEndpoint, webhookEndpoint, webhookSettings } from '../../schemas/webhook.ts';
import { webhooksOf } from './webhooks-of.ts';

export const updateWebhookEndpoint = defineRoute({
  operationId: 'updateWebhookEndpoint',
  method: 'put',
  path: '/webhook-endpoints/{endpointId}',
  tag: 'Webhooks',
  summary: 'Change a webhook endpoint',
  description:
    'Replaces what you have set. A new filter applies to events that have not been read for the endpoint yet. Needs the scope `webhooks.manage`.',
  policy: 'partner',
  params: endpointParams,
  body: webhookSettings,
  answers: { 200: webhookEndpoint },
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'WEBHOOK_URL_FORBIDDEN', 'EVENT_TYPE_UNKNOWN'],
  handler: async ({ params, body }, { upstream, asCaller }) =>
    toWebhookEndpoint(
      (await webhooksOf(upstream).updateWebhookEndpoint({ ...params, ...body, contactEmail: body.contactEmail ?? '' }, asCaller)).endpoint,
    ),
});
