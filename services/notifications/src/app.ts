import { openFieldCipher, startRewrap } from '@florin/data/encryption';
import { startRetention } from '@florin/data/retention';
import { startService } from '@florin/data/service';
import { FeedService } from '@florin/proto/events/v1/feed_service';
import { EVENTS_SCOPES } from '@florin/proto/events/v1/scopes';
import { ConfigError } from '@florin/rpc/config';
import { createSmtpMailer, type Mail } from '@florin/rpc/mail';
import type { App } from '@florin/rpc/process';
import type { ServiceOverrides } from '@florin/rpc/service';
import { ADDRESS_SCOPES, createFindAddress, createTellOfDevice } from './clients/addresses.ts';
import { createFindFacts, FACT_SCOPES } from './clients/facts.ts';
import type { NotificationsConfig } from './config.ts';
import { createPush, createPushKey, type PushKey } from './delivery/push.ts';
import { startSender } from './delivery/sender.ts';
import { implementations } from './handlers/index.ts';
import { followFeeds } from './reading/follow-feeds.ts';
import { planDeliveries } from './reading/plan.ts';
import { createCursorStore } from './store/cursors.ts';
import { createDeliveryStore, deliveryRule } from './store/deliveries.ts';
import { createDeviceStore, DEVICE_FIELDS } from './store/devices.ts';
import { createPreferenceStore } from './store/preferences.ts';
import { SCHEMA } from './store/schema.ts';

/** Parts that a test may replace. */
export type NotificationsOverrides = ServiceOverrides & { sendMail?: (mail: Mail) => Promise<void> };

/** Whom push services turn to in a sandbox, where nobody has to answer. */
const SANDBOX_SUBJECT = 'mailto:operator@florin.example';

const openPushKey = ({ VAPID_KEY: key, VAPID_SUBJECT: subject, SANDBOX }: NotificationsConfig): PushKey | undefined => {
  if (key === undefined) return undefined;
  if (subject === undefined && !SANDBOX) throw new ConfigError('VAPID_SUBJECT: is required with VAPID_KEY');
  try {
    return createPushKey(key, subject ?? SANDBOX_SUBJECT);
  } catch {
    throw new ConfigError('VAPID_KEY: is not a private key of the curve P-256');
  }
};

const openMailer = ({ SMTP_URL: url, MAIL_FROM: from }: NotificationsConfig) => {
  if (url === undefined) return undefined;
  if (from === undefined) throw new ConfigError('MAIL_FROM: is required with SMTP_URL');
  return createSmtpMailer({ url, from });
};

/**
 * Wires the notifications service and serves it.
 * @throws ConfigError when the key of Web Push is none, or something that goes with another variable is missing
 */
export const createApp = (config: NotificationsConfig, overrides: NotificationsOverrides = {}): Promise<App> => {
  if (config.PUSH_ALLOW_LOOPBACK && !config.SANDBOX) throw new ConfigError('PUSH_ALLOW_LOOPBACK: must not be true with SANDBOX=false');
  const pushKey = openPushKey(config);
  const mailer = openMailer(config);
  // It reads feeds, and has no events of its own.
  const { EVENTS_URL, ...rest } = config;
  return startService({ name: 'notifications', schema: SCHEMA }, rest, overrides, async (core) => {
    const { logger, runtime, store, connectTo, traceStore, defer, metrics } = core;
    if (mailer !== undefined) defer(mailer.close);
    const cipher = await openFieldCipher(store.connection, config.FIELD_KEYS, config.FIELD_HASH_KEY);
    const devices = traceStore('devices', createDeviceStore(store.connection, cipher));
    const preferences = traceStore('preferences', createPreferenceStore(store.connection));
    const deliveries = traceStore('deliveries', createDeliveryStore(store.connection));
    const cursors = traceStore('cursors', createCursorStore(store.connection));
    const { now } = runtime;
    defer(startRewrap({ connection: store.connection, fields: DEVICE_FIELDS, cipher, logger }).close);
    defer(startRetention({ connection: store.connection, rules: [deliveryRule], runtime, logger }).close);

    const identity = connectTo('identity', config.IDENTITY_URL, ADDRESS_SCOPES);
    const ended = metrics?.counters('florin_notifications_total', 'Attempts to notify, by channel and outcome', ['channel', 'outcome']);
    const sender = startSender({
      deliveries,
      devices,
      preferences,
      findFacts: createFindFacts({
        card: connectTo('card', config.CARD_URL, FACT_SCOPES.card),
        threeds: connectTo('threeds', config.THREEDS_URL, FACT_SCOPES.threeds),
      }),
      findAddress: createFindAddress(identity),
      push: pushKey && createPush(pushKey, now),
      sendMail: overrides.sendMail ?? mailer?.send,
      appUrl: config.APP_URL,
      now,
      logger,
      count: (channel, outcome) => ended?.([channel, outcome]),
    });
    defer(sender.close);
    const following = followFeeds(
      {
        events: connectTo('events', EVENTS_URL, [EVENTS_SCOPES.read]).client(FeedService),
        cursors,
        take: async (events) => {
          const planned = await planDeliveries({ devices, preferences, now }, events);
          await deliveries.insert(planned);
          if (planned.length > 0) sender.kick();
        },
        now,
        logger,
      },
      config.PARTNERS.map(({ id }) => id),
    );
    defer(following.close);
    metrics?.gauge(
      'florin_notifications_feed_silence_seconds',
      'Time since a message of the feed that is silent for the longest time',
      () => following.silentMs() / 1000,
    );
    metrics?.gauge('florin_notifications_lag_seconds', 'Time that the oldest notification is overdue', async () => {
      const { oldestDueAt } = await deliveries.waiting(now());
      return oldestDueAt === undefined ? 0 : Math.max(0, (now().getTime() - oldestDueAt.getTime()) / 1000);
    });
    return {
      implementations: implementations({
        devices,
        preferences,
        deliveries,
        pushKey: pushKey?.publicKey,
        tellOfDevice: createTellOfDevice(identity, runtime.newId),
        endpointRules: { hosts: config.PUSH_HOSTS, allowsLoopback: config.PUSH_ALLOW_LOOPBACK },
        now,
      }),
      userTokens: { identityUrl: config.IDENTITY_URL },
      // It only tells which sessions are revoked; that is read from identity as well.
      needsRedis: false,
    };
  });
};
