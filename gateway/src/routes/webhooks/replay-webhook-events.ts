import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { endpointParams, toWebhookEndpoint, webhookEndpoint } from '../../schemas/webhook.ts';
import { webhooksOf } from './webhooks-of.ts';

export const replayWebhookEvents = defineRoute({
  operationId: 'replayWebhookEvents',
  method: 'post',
  path: '/webhook-endpoints/{endpointId}/replay',
  tag: 'Webhooks',
  summary: 'Deliver events again',
  description: 'Delivers everything after a cursor again, in order. Needs the scope `webhooks.manage`.',
  policy: 'partner',
  params: endpointParams,
  body: z
    .object({ after: z.string().max(64).optional().meta({ description: 'Cursor. Without it: from the oldest event that is kept.' }) })
    .default({}),
  answers: { 200: webhookEndpoint },
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'WEBHOOK_ORDER_LIMIT_REACHED', 'CURSOR_INVALID', 'CURSOR_AHEAD', 'EVENTS_ARCHIVED'],
  handler: async ({ params, body }, { upstream, asCaller, requestKey }) => {
    const { endpoint } = await webhooksOf(upstream).replayWebhookEvents(
      { ...params, after: body.after ?? '', requestId: requestKey },
      asCaller,
    );
    return toWebhookEndpoint(endpoint);
  },
});
