import {
  type Device,
  Language,
  NotificationKind,
  type Preferences as WirePreferences,
} from '@florin/proto/notifications/v1/notification_service';
import { CodedError } from '@florin/rpc/errors';
import { z } from 'zod';
import type { Upstream } from '../clients/upstream.ts';
import { dateTime, present, toIso } from './fields.ts';
import { wordsOf } from './words.ts';

const kindWords = wordsOf(NotificationKind);
type Kind = z.output<typeof kindWords.schema>;
const languages = wordsOf(Language);

/** The notifications service. @throws CodedError SERVICE_UNAVAILABLE where none is configured */
export const notificationsOf = ({ notifications }: Upstream): NonNullable<Upstream['notifications']> => {
  if (notifications === undefined) throw new CodedError('SERVICE_UNAVAILABLE', { message: 'no notifications service is configured' });
  return notifications;
};

const language = languages.schema;

/** A subscription as `PushSubscription.toJSON()` of the Push API gives it, with the language of the device. */
export const subscriptionInput = z
  .object({
    endpoint: z.string().min(1).max(1024).meta({ description: 'URL of the push service for this device' }),
    expirationTime: z.number().nullable().optional().meta({ description: 'Ignored: push services report what has ended' }),
    keys: z.object({
      p256dh: z
        .string()
        .regex(/^B[A-Za-z0-9_-]{86}$/, 'must be an uncompressed point of P-256 in base64url')
        .meta({ description: 'Key of messages (RFC 8291)' }),
      auth: z
        .string()
        .regex(/^[A-Za-z0-9_-]{22}$/, 'must be 16 bytes in base64url')
        .meta({ description: 'Authentication secret' }),
    }),
    language: language.meta({ description: 'Language of what the device shows' }),
  })
  .meta({ id: 'PushSubscription' });

export const toWireSubscription = ({ endpoint, keys, language: word }: z.output<typeof subscriptionInput>) => ({
  endpoint,
  ...keys,
  language: languages.toValue(word),
});

export const subscriptionId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{43}$/, 'must be the id of a subscription')
  .meta({
    description: 'Id of the subscription, the same for the same endpoint',
    examples: ['kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k'],
  });

export const device = z
  .object({ id: subscriptionId, language, createdAt: dateTime, renewedAt: dateTime })
  .meta({ id: 'NotificationDevice' });

export const toDevice = ({ id, language: value, createdAt, renewedAt }: Device): z.output<typeof device> => ({
  id,
  language: languages.toWord(value),
  createdAt: toIso(createdAt),
  renewedAt: toIso(renewedAt),
});

const channels = z.object({ push: z.boolean(), email: z.boolean() });

const CLOCK = /^(?:[01]\d|2[0-3]):[0-5]\d$/;
const clock = z
  .string()
  .regex(CLOCK, 'must be a time of day, HH:MM')
  .meta({ examples: ['22:00'] });

export const preferences = z
  .object({
    kinds: z.object(Object.fromEntries(kindWords.schema.options.map((kind) => [kind, channels])) as Record<Kind, typeof channels>).meta({
      description:
        'How the user is notified of each kind: payments that were approved or declined, `challenge`: payments that wait for an approval, money that came back, deposits, withdrawals, states of cards, and `security`: wallets and the phone number',
    }),
    quietHours: z
      .object({
        from: clock,
        to: clock.meta({ description: 'Before `from`: on the next day' }),
        timeZone: z
          .string()
          .min(1)
          .max(64)
          .meta({ description: 'Name in the IANA database', examples: ['Europe/Berlin'] }),
      })
      .optional()
      .meta({ description: 'When devices stay silent. Challenges and `security` are pushed all the same. Absent: never' }),
    language: language.meta({ description: 'Language of mails' }),
  })
  .meta({ id: 'NotificationPreferences' });

const toMinute = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
const toClock = (minute: number): string => `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

export const toWirePreferences = ({ kinds, quietHours, language: word }: z.output<typeof preferences>) => ({
  kinds: kindWords.schema.options.map((kind) => ({ kind: kindWords.toValue(kind), ...kinds[kind] })),
  language: languages.toValue(word),
  ...(quietHours === undefined
    ? {}
    : {
        quietHours: { fromMinute: toMinute(quietHours.from), toMinute: toMinute(quietHours.to), timeZone: quietHours.timeZone },
      }),
});

export const toPreferences = (wire: WirePreferences | undefined): z.output<typeof preferences> => {
  const { kinds, quietHours, language: value } = present(wire, 'the preferences');
  const byKind = new Map(kinds.map(({ kind, push, email }) => [kind, { push, email }]));
  const channelsOf = (kind: Kind) => present(byKind.get(kindWords.toValue(kind)), 'every kind');
  return {
    kinds: Object.fromEntries(kindWords.schema.options.map((kind) => [kind, channelsOf(kind)])) as Record<Kind, z.output<typeof channels>>,
    language: languages.toWord(value),
    ...(quietHours === undefined
      ? {}
      : { quietHours: { from: toClock(quietHours.fromMinute), to: toClock(quietHours.toMinute), timeZone: quietHours.timeZone } }),
  };
};
