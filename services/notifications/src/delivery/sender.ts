import { createHash } from 'node:crypto';
import type { Mail } from '@florin/rpc/mail';
import type { Logger } from '@florin/rpc/observe';
import { type Rounds, startRounds } from '@florin/rpc/time';
import type { FindAddress } from '../clients/addresses.ts';
import type { FindFacts, Told } from '../clients/facts.ts';
import { isUrgent, kindOf } from '../domain/kinds.ts';
import { firstLoudTime, type Language, withDefaults } from '../domain/preferences.ts';
import { nextAttempt } from '../domain/schedule.ts';
import { mailOf, textOf } from '../domain/texts.ts';
import type { Delivery, DeliveryStore, Outcome } from '../store/deliveries.ts';
import type { Device, DeviceStore } from '../store/devices.ts';
import type { PreferenceStore } from '../store/preferences.ts';
import type { Push } from './push.ts';

export type SenderParts = {
  deliveries: DeliveryStore;
  devices: Pick<DeviceStore, 'find' | 'remove'>;
  preferences: Pick<PreferenceStore, 'find'>;
  findFacts: FindFacts;
  findAddress: FindAddress;
  /** Undefined where the platform has no key of Web Push. */
  push: Push | undefined;
  /** Undefined where no mail server is configured. */
  sendMail: ((mail: Mail) => Promise<void>) | undefined;
  /** Base URL of the app; mails have no link without it. */
  appUrl: string | undefined;
  now: () => Date;
  logger: Logger;
  /** Called with the channel and the end of every attempt. */
  count: (channel: 'push' | 'email', outcome: Outcome | 'failed') => void;
};

/** The outcome of an attempt: the delivery ends, or is put off until a time. */
type Verdict = { end: Outcome } | { later: Date };

/** How long an attempt may take before another instance makes it: asking the services, and the push service's ten seconds. */
const CLAIM_MS = 60_000;

/** Attempts at the same time. */
const WIDTH = 16;

const INTERVAL_MS = 1000;

/** Most characters that a topic may have (RFC 8030, section 5.4). */
const TOPIC_CHARACTERS = 32;

const topicOf = (eventId: string): string => createHash('sha256').update(eventId).digest('base64url').slice(0, TOPIC_CHARACTERS);

/** Returns the message that the service worker shows. The tag makes a repeat replace it, silently. */
const payloadOf = ({ eventId }: Delivery, { facts, path }: Told, language: Language): string =>
  JSON.stringify({ ...textOf(facts, language), tag: eventId, path, language, urgent: facts.about === 'challenge' });

/**
 * Sends what is due. Each delivery is claimed by one write before it is sent, and ended by another one afterwards: a kill in between sends it once more, with the same
 * topic and tag, so that a device shows it once.
 */
export const startSender = (parts: SenderParts): Rounds => {
  const { deliveries, devices, preferences, now, logger } = parts;

  const failed = (delivery: Delivery, channel: 'push' | 'email', reason: string, retryAfterMs = 0): Verdict => {
    parts.count(channel, 'failed');
    const later = nextAttempt(now(), delivery.attempts, delivery.expiresAt, retryAfterMs);
    if (later !== undefined) return { later };
    logger.warn({ eventId: delivery.eventId, channel, attempts: delivery.attempts, reason }, 'a notification was given up');
    return { end: 'given_up' };
  };

  const toDevice = async (delivery: Delivery, device: Device, told: Told): Promise<Verdict> => {
    const { push } = parts;
    if (push === undefined) return { end: 'not_wanted' };
    const end = told.expiresAt === undefined || delivery.expiresAt < told.expiresAt ? delivery.expiresAt : told.expiresAt;
    const ttlSeconds = Math.floor((end.getTime() - now().getTime()) / 1000);
    if (ttlSeconds <= 0) return { end: 'expired' };
    const kind = kindOf(delivery.type);
    const result = await push(device.subscription, {
      payload: payloadOf(delivery, told, device.language),
      ttlSeconds,
      isUrgent: kind !== undefined && isUrgent(kind),
      topic: topicOf(delivery.eventId),
    });
    switch (result.kind) {
      case 'sent':
        return { end: 'sent' };
      case 'gone':
        await devices.remove(device.id, device.userId);
        return { end: 'unsubscribed' };
      case 'rejected':
        logger.error({ eventId: delivery.eventId, status: result.status }, 'a push service rejects a notification');
        return { end: 'given_up' };
      default:
        return failed(delivery, 'push', result.reason, result.retryAfterMs);
    }
  };

  const toMailbox = async (delivery: Delivery, told: Told, language: Language): Promise<Verdict> => {
    const { sendMail, appUrl } = parts;
    if (sendMail === undefined) return { end: 'not_wanted' };
    const to = await parts.findAddress(delivery.userId);
    if (to === undefined) return { end: 'not_wanted' };
    const url = appUrl === undefined ? undefined : `${appUrl.replace(/\/$/, '')}${told.path}`;
    try {
      await sendMail({ to, ...mailOf(textOf(told.facts, language), language, url) });
      return { end: 'sent' };
    } catch (error) {
      return failed(delivery, 'email', error instanceof Error ? error.message : 'unknown');
    }
  };

  /** Reads preferences and device again: they may have changed since the event. */
  const send = async (delivery: Delivery): Promise<Verdict> => {
    const time = now();
    if (delivery.expiresAt <= time) return { end: 'expired' };
    const kind = kindOf(delivery.type);
    if (kind === undefined) return { end: 'not_wanted' };
    const wanted = withDefaults(await preferences.find(delivery.userId));
    const { push, email } = wanted.kinds[kind];
    if (!(delivery.deviceId === undefined ? email : push)) return { end: 'not_wanted' };
    const device = delivery.deviceId === undefined ? undefined : await devices.find(delivery.deviceId, delivery.userId);
    if (delivery.deviceId !== undefined && device === undefined) return { end: 'unsubscribed' };
    const loud = device === undefined || isUrgent(kind) ? time : firstLoudTime(wanted.quietHours, time);
    if (loud > time) return loud < delivery.expiresAt ? { later: loud } : { end: 'expired' };
    const told = await parts.findFacts(delivery);
    if (told === undefined) return { end: 'not_wanted' };
    return device === undefined ? toMailbox(delivery, told, wanted.language) : toDevice(delivery, device, told);
  };

  const take = async (delivery: Delivery): Promise<void> => {
    const channel = delivery.deviceId === undefined ? 'email' : 'push';
    let verdict: Verdict;
    try {
      verdict = await send(delivery);
    } catch (err) {
      logger.warn({ err, eventId: delivery.eventId }, 'a notification cannot be told, will retry');
      verdict = failed(delivery, channel, 'a service is away');
    }
    if ('later' in verdict) return deliveries.postpone(delivery, verdict.later);
    parts.count(channel, verdict.end);
    await deliveries.end(delivery, verdict.end, now());
  };

  const work = async (closed: () => boolean): Promise<void> => {
    while (!closed()) {
      const time = now();
      const delivery = await deliveries.claim(time, new Date(time.getTime() + CLAIM_MS));
      if (delivery === undefined) return;
      await take(delivery);
    }
  };

  return startRounds({
    round: async (closed) => {
      const { count } = await deliveries.waiting(now());
      await Promise.all(Array.from({ length: Math.min(WIDTH, count) }, () => work(closed)));
    },
    intervalMs: INTERVAL_MS,
    logger,
    failed: 'sending notifications failed, will retry',
  });
};
