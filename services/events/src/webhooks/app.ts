import { startService } from '@florin/data/service';
import { ConfigError } from '@florin/rpc/config';
import { createSmtpMailer } from '@florin/rpc/mail';
import type { App } from '@florin/rpc/process';
import type { ServiceOverrides } from '@florin/rpc/service';
import { type WebhooksConfig, webhookRules } from '../config.ts';
import { startDeliverer } from '../delivery/deliverer.ts';
import { createDispatcher, createResolve, type Resolve } from '../delivery/dispatcher.ts';
import { createFeedSource } from '../delivery/feed-source.ts';
import { createDeliveryJournal } from '../delivery/journal.ts';
import type { LeaseTimes } from '../delivery/leases.ts';
import { measureAttempts, measureDeliveries } from '../delivery/measure.ts';
import { createNotify, type SendMail } from '../delivery/notify.ts';
import { createSend } from '../delivery/send.ts';
import { createSignersOf } from '../delivery/signers.ts';
import { createSlots } from '../delivery/slots.ts';
import { openEndpoints } from '../endpoints/open.ts';
import { openWake } from '../feed/wake.ts';
import { createArchiveStore } from '../store/archives.ts';
import { createBlockStore } from '../store/blocks.ts';
import { SCHEMA } from '../store/schema.ts';
import { createWebhookLeaseStore } from '../store/webhook-leases.ts';

/** Parts that a test may replace. */
export type WebhooksOverrides = ServiceOverrides & {
  resolve?: Resolve;
  /** Certificate authorities (PEM) of receivers instead of those of Node.js. */
  ca?: string;
  times?: LeaseTimes;
  sendMail?: SendMail;
  /** Milliseconds since some moment, instead of those of the process. */
  stopwatch?: () => number;
};

/** Time for connecting to a receiver, and for its answer's status, in milliseconds. */
const CONNECT_TIMEOUT_MS = 5000;
const ATTEMPT_TIMEOUT_MS = 10_000;

/** Work that a deliverer begins while its leases are valid ends before they can expire: 3 s and an attempt's 10 s and its answer's 1 s are less than 15 s. */
const TIMES: LeaseTimes = { expiryMs: 15_000, beatMs: 1000, validMs: 3000 };

/** Deliveries at the same time: to endpoints that work, and to those that do not. A partner has a quarter at most. */
const POOL = { all: 512, perPartner: 128 };
const SLOTS = { trusted: POOL, doubtful: POOL };

/** @throws ConfigError when the sender is missing */
const openMailer = ({ SMTP_URL: url, MAIL_FROM: from }: WebhooksConfig) => {
  if (url === undefined) return undefined;
  if (from === undefined) throw new ConfigError('MAIL_FROM: is required with SMTP_URL');
  return createSmtpMailer({ url, from });
};

/** Wires the process that delivers webhooks, the only one of the platform that connects to what partners name. */
export const createWebhooksApp = (config: WebhooksConfig, overrides: WebhooksOverrides = {}): Promise<App> =>
  startService({ name: 'webhooks', schema: SCHEMA }, config, overrides, async (core) => {
    const { logger, runtime, store, redis, traceStore, defer } = core;
    const { isAllowed } = webhookRules(config);
    const mailer = openMailer(config);
    if (mailer !== undefined) defer(mailer.close);
    const blocks = traceStore('blocks', createBlockStore(store.connection));
    const { endpoints, secrets, progress, attempts, keys, change } = await openEndpoints(core, config);
    const dispatcher = createDispatcher({
      isAllowed,
      resolve: overrides.resolve ?? createResolve(),
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
      proxyUrl: config.WEBHOOKS_PROXY_URL,
      ca: overrides.ca,
    });
    defer(() => dispatcher.destroy());
    const send = createSend({ dispatcher, isAllowed, now: runtime.now, timeoutMs: ATTEMPT_TIMEOUT_MS });
    const signersOf = createSignersOf({ secrets, keys, runtime });
    const wake = await openWake(redis, logger);
    defer(wake.close);
    const source = createFeedSource({ blocks, archives: traceStore('archives', createArchiveStore(store.connection)), wake, logger });
    defer(source.close);
    const deliverer = await startDeliverer({
      endpoints,
      leases: traceStore('webhook-leases', createWebhookLeaseStore(store.connection)),
      times: overrides.times ?? TIMES,
      source,
      progress,
      change,
      notify: createNotify({ secrets, sendMail: overrides.sendMail ?? mailer?.send, logger }),
      runtime,
      logger,
      slots: createSlots(SLOTS),
      journal: createDeliveryJournal({ progress, attempts, logger }),
      stopwatch: overrides.stopwatch ?? (() => performance.now()),
      measure: measureAttempts(core.metrics),
      checkpointMs: config.WEBHOOKS_CHECKPOINT_SECONDS * 1000,
      prepare: async (endpoint, message) => {
        const signers = await signersOf(endpoint);
        return () => send(endpoint.url, message, signers);
      },
    });
    defer(deliverer.close);
    if (core.metrics !== undefined) measureDeliveries(core.metrics, deliverer.status);
    return {
      implementations: [],
      userTokens: { identityUrl: config.IDENTITY_URL },
      // It only tells that feeds have grown; they are looked at every second as well.
      needsRedis: false,
    };
  });
