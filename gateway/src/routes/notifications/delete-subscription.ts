import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { DONE, done } from '../../schemas/fields.ts';
import { notificationsOf, subscriptionId } from '../../schemas/notifications.ts';

export const deleteNotificationSubscription = defineRoute({
  operationId: 'deleteNotificationSubscription',
  method: 'delete',
  path: '/notifications/subscriptions/{subscriptionId}',
  tag: 'Notifications',
  summary: 'Remove a device',
  description: 'Nothing is pushed to the device any more. One that does not exist is removed already. Call it before a sign-out.',
  policy: 'user',
  params: z.object({ subscriptionId }),
  answers: { 200: done },
  errors: [],
  handler: async ({ params }, { upstream, asCaller }) => {
    await notificationsOf(upstream).deleteSubscription({ id: params.subscriptionId }, asCaller);
    return DONE;
  },
});
