import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { createdEndpoint, endpointParams, toWebhookEndpoint, webhookSecret } from '../../schemas/webhook.ts';
import { webhooksOf } from './webhooks-of.ts';

export const rotateWebhookSecret = defineRoute({
  operationId: 'rotateWebhookSecret',
  method: 'post',
  path: '/webhook-endpoints/{endpointId}/rotate-secret',
  tag: 'Webhooks',
  summary: 'Replace the secret of a webhook endpoint',
  description: 'Returns the new secret. For 24 hours deliveries are signed with both. Needs the scope `webhooks.manage`.',
  policy: 'partner',
  params: endpointParams,
  body: z.object({ secret: webhookSecret.optional() }).default({}),
  answers: { 200: createdEndpoint },
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'WEBHOOK_SECRET_INVALID'],
  handler: async ({ params, body }, { upstream, asCaller, requestKey }) => {
    const request = { ...params, secret: body.secret ?? '', requestId: requestKey };
    const { endpoint, secret } = await webhooksOf(upstream).rotateWebhookSecret(request, asCaller);
    return { ...toWebhookEndpoint(endpoint), secret };
  },
});
