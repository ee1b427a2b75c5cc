import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { openTestBed, testEnvironment } from '@florin/data/testing';
import type { EventTypeName } from '@florin/proto/events/v1/event-types';
import { FeedService } from '@florin/proto/events/v1/feed_service';
import { EVENTS_SCOPES, PARTNER_SCOPES } from '@florin/proto/events/v1/scopes';
import { WebhookEndpointService } from '@florin/proto/events/v1/webhook_endpoint_service';
import { IDENTITY_SCOPES } from '@florin/proto/identity/v1/scopes';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { type Environment, loadConfig } from '@florin/rpc/config';
import { systemRuntime } from '@florin/rpc/runtime';
import { createTestAuthority, fakeClock, quietLogger } from '@florin/rpc/testing';
import { createApp, type EventsOverrides } from '../app.ts';
import { configShape, webhooksShape } from '../config.ts';
import { createWebhooksApp, type WebhooksOverrides } from '../webhooks/app.ts';
import { startNeighbours } from './neighbours.ts';

export type World = Awaited<ReturnType<typeof createWorld>>;

export const newId = systemRuntime.newId;

/** Leases that a busy machine keeps: nothing is killed here, and a deliverer that closes gives its shards back. */
const UNHURRIED = { expiryMs: 60_000, beatMs: 500, validMs: 45_000 };

/** The events service on real engines, with stand-ins for the services that it asks. */
export const createWorld = async (more: Environment = {}) => {
  const authority = await createTestAuthority(
    {
      events: [IDENTITY_SCOPES.readUsers, LEDGER_SCOPES.readAccounts, LEDGER_SCOPES.readEntries],
      identity: [EVENTS_SCOPES.append],
      card: [EVENTS_SCOPES.append],
      backOffice: [...PARTNER_SCOPES],
      'acme-server': [...PARTNER_SCOPES],
      'other-server': [...PARTNER_SCOPES],
      stranger: [],
    },
    [],
    { 'acme-server': 'acme', 'other-server': 'other' },
  );
  const clock = fakeClock();
  const neighbours = await startNeighbours(authority, clock.now);
  const environment = testEnvironment('events', authority, { ...neighbours.environment, ...more });
  const bed = await openTestBed(environment);
  bed.defer(neighbours.close);

  /** A user of a partner. */
  const newUser = (partner: string): string => {
    const userId = newId();
    neighbours.partners.set(userId, partner);
    return userId;
  };

  return {
    authority,
    environment,
    clock,
    neighbours,
    connection: bed.connection,
    newUser,

    /** A request to append an event of a user's card. */
    cardEvent: (userId: string, cardId: string, subjectSequence: number, type: EventTypeName = 'payment.authorized') => ({
      id: newId(),
      type,
      timestamp: timestampFromDate(clock.now()),
      subjectId: cardId,
      subjectSequence: BigInt(subjectSequence),
      dataJson: JSON.stringify({ paymentId: cardId, cardId, userId, status: 'pending' }),
    }),

    /** Starts a service; any number of them share the world's database. */
    start: async (overrides: EventsOverrides = {}) => {
      const app = await createApp(loadConfig(configShape, environment), {
        runtime: { now: clock.now },
        userKeys: authority.userKeys,
        logger: quietLogger,
        ...overrides,
      });
      const { client, close } = bed.connect(app);
      const as = (name: string, ...scopes: string[]) => authority.asService(name, 'events', scopes);
      const newTokens = async () => ({
        card: await as('card', EVENTS_SCOPES.append),
        identity: await as('identity', EVENTS_SCOPES.append),
        backOffice: await as('backOffice', ...PARTNER_SCOPES),
        acme: await as('acme-server', ...PARTNER_SCOPES),
        other: await as('other-server', ...PARTNER_SCOPES),
        /** May read feeds and endpoints, and change none. */
        reader: await as('acme-server', EVENTS_SCOPES.read, EVENTS_SCOPES.readWebhooks),
        stranger: await as('stranger', EVENTS_SCOPES.read),
      });
      const started = {
        app,
        feed: client(FeedService),
        webhooks: client(WebhookEndpointService),
        close,
        ...(await newTokens()),
        /** Replaces the tokens, which are valid for five minutes, by new ones. */
        renewTokens: async () => {
          Object.assign(started, await newTokens());
        },
      };
      return started;
    },

    /** Starts a deliverer of webhooks; any number of them share the world's database. */
    startDeliverer: async (overrides: WebhooksOverrides = {}) => {
      const app = await createWebhooksApp(loadConfig(webhooksShape, environment), {
        runtime: { now: clock.now },
        userKeys: authority.userKeys,
        logger: quietLogger,
        times: UNHURRIED,
        ...overrides,
      });
      return { close: bed.connect(app).close };
    },

    close: bed.close,
  };
};

export type Events = Awaited<ReturnType<World['start']>>;
