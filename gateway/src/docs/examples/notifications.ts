import { DONE, type Example, TIME } from './example.ts';

const DEVICE = { id: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k', language: 'en', createdAt: TIME, renewedAt: TIME };

const PUSHED = { push: true, email: false };

const PREFERENCES = {
  kinds: {
    payment_approved: { push: false, email: false },
    payment_declined: PUSHED,
    challenge: PUSHED,
    refund: PUSHED,
    deposit: { push: true, email: true },
    withdrawal: { push: true, email: true },
    card: PUSHED,
    security: PUSHED,
  },
  quietHours: { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin' },
  language: 'en',
};

export const NOTIFICATION_EXAMPLES: Readonly<Record<string, Example>> = {
  putNotificationSubscription: {
    request: {
      endpoint: 'https://updates.push.services.mozilla.com/wpush/v2/gAAAAABl',
      expirationTime: null,
      keys: {
        p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
        auth: 'BTBZMqHH6r4Tts7J_aSIgg',
      },
      language: 'en',
    },
    response: DEVICE,
  },
  deleteNotificationSubscription: { response: DONE },
  getNotificationPreferences: { response: { preferences: PREFERENCES, devices: [DEVICE] } },
  setNotificationPreferences: { request: PREFERENCES, response: PREFERENCES },
};
