import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { endpointParams } from '../../schemas/webhook.ts';
import { webhooksOf } from './webhooks-of.ts';

export const redeliverWebhookEvent = defineRoute({
  operationId: 'redeliverWebhookEvent',
  method: 'post',
  path: '/webhook-endpoints/{endpointId}/redeliver',
  tag: 'Webhooks',
  summary: 'Deliver one event again',
  description: 'Makes one attempt, which the list of attempts shows. The filter does not matter. Needs the scope `webhooks.manage`.',
  policy: 'partner',
  params: endpointParams,
  body: z.object({ sequence: z.int().min(1).max(999_999_999_999_999).meta({ description: 'Place of the event in the feed' }) }),
  answers: { 200: z.object({ success: z.literal(true) }) },
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'WEBHOOK_ENDPOINT_DISABLED', 'WEBHOOK_ORDER_LIMIT_REACHED', 'CURSOR_AHEAD', 'EVENTS_ARCHIVED'],
  handler: async ({ params, body }, { upstream, asCaller, requestKey }) => {
    const request = { ...params, sequence: BigInt(body.sequence), requestId: requestKey };
    await webhooksOf(upstream).redeliverWebhookEvent(request, asCaller);
    return { success: true as const };
  },
});
