import { defineRoute } from '../../http/define-route.ts';
import { present } from '../../schemas/fields.ts';
import { device, notificationsOf, subscriptionInput, toDevice, toWireSubscription } from '../../schemas/notifications.ts';

export const putNotificationSubscription = defineRoute({
  operationId: 'putNotificationSubscription',
  method: 'put',
  path: '/notifications/subscriptions',
  tag: 'Notifications',
  summary: 'Register a device for Web Push',
  description:
    'Registers the subscription of a browser, made with the key of `GET /capabilities`, or renews it; call it at each start of an app. A device belongs to the user who registered it last. A user has at most ten; a further one takes the place of the one that was not renewed for the longest time.',
  policy: 'user',
  body: subscriptionInput,
  answers: { 200: device },
  errors: ['PUSH_NOT_AVAILABLE', 'PUSH_ENDPOINT_FORBIDDEN'],
  handler: async ({ body }, { upstream, asCaller }) => {
    const put = await notificationsOf(upstream).putSubscription(toWireSubscription(body), asCaller);
    return toDevice(present(put.device, 'the device'));
  },
});
