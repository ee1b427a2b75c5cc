import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { DONE, done, present } from '../../schemas/fields.ts';
import {
  device,
  notificationsOf,
  preferences,
  subscriptionId,
  subscriptionInput,
  toDevice,
  toPreferences,
  toWirePreferences,
  toWireSubscription,
} from '../../schemas/notifications.ts';

export const putNotificationSubscription = defineRoute({
  operationId: 'putNotificationSubscription',
  method: 'put',
  path: '/notifications/subscriptions',
  tag: 'Notifications',
  summary: 'Register a device for Web Push',
  description:
    'Registers the subscription of a browser, made with the key of `GET /capabilities`, or renews it; call it at each start of an app. A device belongs to the user who registered it last. A user has at most ten; a further one takes the place of the one that was not renewed for the longest time. The user is mailed before a new one is registered.',
  policy: 'user',
  body: subscriptionInput,
  answers: { 200: device },
  errors: ['PUSH_NOT_AVAILABLE', 'PUSH_ENDPOINT_FORBIDDEN'],
  handler: async ({ body }, { upstream, asCaller }) => {
    const put = await notificationsOf(upstream).putSubscription(toWireSubscription(body), asCaller);
    return toDevice(present(put.device, 'the device'));
  },
});

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

const shared = { path: '/notifications/preferences', tag: 'Notifications', policy: 'user', errors: [] } as const;

export const getNotificationPreferences = defineRoute({
  ...shared,
  operationId: 'getNotificationPreferences',
  method: 'get',
  summary: 'Get how the user is notified',
  description: 'Returns the preferences of the user, or the defaults: everything is pushed to registered devices, and nothing is mailed.',
  answers: { 200: z.object({ preferences, devices: z.array(device) }) },
  handler: async (_input, { upstream, asCaller }) => {
    const found = await notificationsOf(upstream).getPreferences({}, asCaller);
    return { preferences: toPreferences(found.preferences), devices: found.devices.map(toDevice) };
  },
});

export const setNotificationPreferences = defineRoute({
  ...shared,
  operationId: 'setNotificationPreferences',
  method: 'put',
  summary: 'Set how the user is notified',
  description:
    'Replaces what the user has chosen. What concerns the safety of an account is mailed anyway. During quiet hours nothing is pushed but challenges and `security`; the rest is pushed when they end, unless it is older than a day then.',
  body: preferences,
  answers: { 200: preferences },
  handler: async ({ body }, { upstream, asCaller }) => {
    const set = await notificationsOf(upstream).setPreferences({ preferences: toWirePreferences(body) }, asCaller);
    return toPreferences(set.preferences);
  },
});
