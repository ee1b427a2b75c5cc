import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { device, notificationsOf, preferences, toDevice, toPreferences, toWirePreferences } from '../../schemas/notifications.ts';

const shared = { path: '/notifications/preferences', tag: 'Notifications', policy: 'user', errors: [] } as const;

export const getNotificationPreferences = defineRoute({
  ...shared,
  operationId: 'getNotificationPreferences',
  method: 'get',
  summary: 'Get how the user is notified',
  description: 'What the user has chosen, or the defaults: everything is pushed to registered devices, and nothing is mailed.',
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
