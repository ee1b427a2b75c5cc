import { NotificationKindSchema } from '@florin/proto/notifications/v1/notification_service';
import { time } from './fake-records.ts';

const device = { id: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k', language: 1, createdAt: time, renewedAt: time };

const preferences = {
  kinds: NotificationKindSchema.values
    .filter(({ number }) => number !== 0)
    .map(({ number }) => ({ kind: number, push: true, email: false })),
  quietHours: { fromMinute: 1320, toMinute: 425, timeZone: 'Europe/Berlin' },
  language: 2,
};

/** Default responses of the notifications service, by RPC. */
export const fakeNotifications: Readonly<Record<string, (request: { preferences?: object }) => object>> = {
  getPushKey: () => ({ publicKey: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4' }),
  putSubscription: () => ({ device }),
  deleteSubscription: () => ({}),
  getPreferences: () => ({ preferences, devices: [device] }),
  setPreferences: (request) => ({ preferences: request.preferences ?? preferences }),
};
