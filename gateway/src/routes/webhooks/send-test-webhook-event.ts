import { defineRoute } from '../../http/define-route.ts';
import { done, id } from '../../schemas/fields.ts';
import { endpointParams } from '../../schemas/webhook.ts';
import { webhooksOf } from './webhooks-of.ts';

export const sendTestWebhookEvent = defineRoute({
  operationId: 'sendTestWebhookEvent',
  method: 'post',
  path: '/webhook-endpoints/{endpointId}/test',
  tag: 'Webhooks',
  summary: 'Send a test event',
  description:
    'Makes one attempt to deliver an event `webhook.test` that is in no feed: its sequence is 0. Needs the scope `webhooks.manage`.',
  policy: 'partner',
  params: endpointParams,
  answers: { 200: done.extend({ eventId: id.meta({ description: 'Id of the event, which its attempt carries' }) }) },
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'WEBHOOK_ENDPOINT_DISABLED', 'WEBHOOK_ORDER_LIMIT_REACHED'],
  handler: async ({ params }, { upstream, asCaller, requestKey }) => {
    await webhooksOf(upstream).sendTestWebhookEvent({ ...params, requestId: requestKey }, asCaller);
    return { success: true as const, eventId: requestKey };
  },
});
