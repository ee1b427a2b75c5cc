import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { createdEndpoint, toWebhookEndpoint, webhookSecret, webhookSettings } from '../../schemas/webhook.ts';
import { webhooksOf } from './webhooks-of.ts';

export const createWebhookEndpoint = defineRoute({
  operationId: 'createWebhookEndpoint',
  method: 'post',
  path: '/webhook-endpoints',
  tag: 'Webhooks',
  summary: 'Create a webhook endpoint',
  description:
    'Creates an endpoint to which the events of the partner are delivered, and returns its secret, which no other operation returns. Needs the scope `webhooks.manage`. A partner can have 20.',
  policy: 'partner',
  body: webhookSettings.extend({
    secret: webhookSecret.optional(),
    after: z.string().max(64).optional().meta({ description: 'Cursor after which deliveries begin. Without it: with the next event.' }),
  }),
  answers: { 200: createdEndpoint },
  errors: [
    'WEBHOOK_URL_FORBIDDEN',
    'WEBHOOK_SECRET_INVALID',
    'WEBHOOK_ENDPOINT_LIMIT_REACHED',
    'EVENT_TYPE_UNKNOWN',
    'CURSOR_INVALID',
    'CURSOR_AHEAD',
    'EVENTS_ARCHIVED',
  ],
  handler: async ({ body: { contactEmail = '', secret: brought = '', after = '', ...body } }, { upstream, asCaller, requestKey }) => {
    const request = { ...body, contactEmail, secret: brought, after, requestId: requestKey };
    const { endpoint, secret } = await webhooksOf(upstream).createWebhookEndpoint(request, asCaller);
    return { ...toWebhookEndpoint(endpoint), secret };
  },
});
