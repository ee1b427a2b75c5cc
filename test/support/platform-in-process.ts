import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CardOverrides, createApp as createCard } from '@florin/card';
import { configShape as cardShape } from '@florin/card/config';
import { createApp as createChain } from '@florin/chain';
import { configShape as chainServiceShape } from '@florin/chain/config';
import { testEngines } from '@florin/data/testing';
import { createApp as createEvents } from '@florin/events';
import { configShape as eventsShape, webhooksShape } from '@florin/events/config';
import { createWebhooksApp, type WebhooksOverrides } from '@florin/events/webhooks';
import { createApp as createGateway, type GatewayOverrides } from '@florin/gateway';
import { configShape as gatewayShape } from '@florin/gateway/config';
import { createApp as createIdentity } from '@florin/identity';
import { configShape as identityShape } from '@florin/identity/config';
import { createApp as createLedger } from '@florin/ledger';
import { configShape as ledgerShape } from '@florin/ledger/config';
import { clocksOf } from '@florin/ledger/testing/clocks';
import { type Client, ensureKeys, fieldKeyFiles, REDIS_PROCESSES, type RedisProcess } from '@florin/local';
import { createApp as createNotifications } from '@florin/notifications';
import { configShape as notificationsShape } from '@florin/notifications/config';
import { type Environment, loadConfig } from '@florin/rpc/config';
import type { Logger } from '@florin/rpc/observe';
import { type App, createCloser } from '@florin/rpc/process';
import { fakeClock, testPort } from '@florin/rpc/testing';
import { createApp as createSettlement } from '@florin/settlement';
import { configShape as settlementShape } from '@florin/settlement/config';
import { createApp as createThreeds } from '@florin/threeds';
import { configShape as threedsShape } from '@florin/threeds/config';
import { createApp as createVault } from '@florin/vault';
import { configShape as vaultShape } from '@florin/vault/config';
import { openCheckedApi } from './checked-api.ts';
import { addPeople } from './people.ts';

const SERVICES = ['identity', 'card', 'ledger', 'threeds', 'vault'] as const;

/**
 * Starts the whole platform in this process, with real engines, sockets, tokens and signatures, so that a test can control the clock.
 * Every call uses new databases. The gateway checks each response against its declared schemas (undeclared fields and codes are
 * faults); `api` also checks it against the OpenAPI document.
 */
export const startPlatformInProcess = async (
  more: Environment = {},
  overrides: {
    /** Of every gateway. */
    gateway?: Pick<GatewayOverrides, 'countsTimeoutMs'>;
    card?: Pick<CardOverrides, 'processor' | 'wrapHolds'>;
    logger?: Logger;
    /** The time of all processes, by default one that stands still. */
    clock?: ReturnType<typeof fakeClock>;
    /** Factor of the deadlines of calls between the processes. Default: 4. */
    patience?: number;
    /** Starts the chain service too, with this environment; by default there is none. */
    chain?: Environment;
    /** Starts the events service and the process that delivers webhooks too, with this environment; by default there is none. */
    events?: Environment;
    webhooks?: Pick<WebhooksOverrides, 'resolve'>;
    /** Starts the notifications service too, with this environment, which needs `events`; by default there is none. */
    notifications?: Environment;
    /** Starts the settlement service too, with this environment; by default there is none. */
    settlement?: Environment;
    /** The URL of Redis for each process, instead of one for all. */
    redisUrlOf?: (name: RedisProcess) => string;
    /** Names of people with every scope. */
    people?: readonly string[];
    /** Directory of the keys, and first part of the databases' names, instead of new ones: to start on what another platform left. */
    place?: { dataDir: string; database: string };
  } = {},
) => {
  const engines = testEngines();
  const { mongodbUri, redisUrl } = engines;
  const database = overrides.place?.database ?? engines.database;
  const clock = overrides.clock ?? fakeClock();
  const common = {
    runtime: { now: clock.now, patience: overrides.patience ?? 4 },
    ...(overrides.logger === undefined ? {} : { logger: overrides.logger }),
  };
  const closer = createCloser();
  try {
    const dataDir = overrides.place?.dataDir ?? (await mkdtemp(join(tmpdir(), 'florin-e2e-')));
    if (overrides.place === undefined) closer.defer(() => rm(dataDir, { recursive: true, force: true }));
    const keys = await ensureKeys(dataDir);
    const { personToken } = await addPeople(keys.trustFile, overrides.people ?? []);
    const ports: number[] = [];
    while (ports.length < SERVICES.length) ports.push(await testPort());
    const urls = Object.fromEntries(SERVICES.map((name, index) => [`${name.toUpperCase()}_URL`, `http://127.0.0.1:${ports[index]}`]));
    const eventsPort = overrides.events === undefined ? undefined : await testPort();
    if (eventsPort !== undefined) urls['EVENTS_URL'] = `http://127.0.0.1:${eventsPort}`;
    const notificationsPort = overrides.notifications === undefined ? undefined : await testPort();
    if (notificationsPort !== undefined) urls['NOTIFICATIONS_URL'] = `http://127.0.0.1:${notificationsPort}`;
    const settlementPort = overrides.settlement === undefined ? undefined : await testPort();
    if (settlementPort !== undefined) urls['SETTLEMENT_URL'] = `http://127.0.0.1:${settlementPort}`;
    const environment = (name: Client, port: number): Environment => ({
      PORT: String(port),
      MONGODB_URI: mongodbUri,
      MONGODB_DATABASE: `${database}_${name}`,
      REDIS_URL: REDIS_PROCESSES.filter((one) => one === name).map((one) => overrides.redisUrlOf?.(one))[0] ?? redisUrl,
      LOG_LEVEL: 'silent',
      SANDBOX: 'true',
      SERVICE_KEY_FILE: keys.keyFile(name),
      SERVICE_TRUST_FILE: keys.trustFile,
      IDENTITY_MASTER_KEYS_FILE: keys.identityMasterKeysFile,
      VAULT_MASTER_KEYS_FILE: keys.vaultMasterKeysFile,
      ...fieldKeyFiles(name, keys),
      RATE_LIMIT_PER_MINUTE: '100000',
      AUTH_RATE_LIMIT_PER_MINUTE: '100000',
      VALIDATE_ANSWERS: 'true',
      // A busy machine may decide later than a card network waits, and issue later than a person does.
      ...{ AUTHORIZATION_DEADLINE_MS: '5000', PROCESSOR_TIMEOUT_MS: '12000' },
      ...urls,
      ...more,
    });
    const portOf = (name: (typeof SERVICES)[number]): number => ports[SERVICES.indexOf(name)] ?? 0;
    const start = async (app: Promise<App>): Promise<App> => {
      const started = await app;
      closer.defer(started.close);
      return started;
    };
    if (eventsPort !== undefined) {
      const eventsEnvironment = { ...environment('events', eventsPort), WEBHOOKS_ALLOW_LOOPBACK: 'true', ...overrides.events };
      await start(createEvents(loadConfig(eventsShape, eventsEnvironment), common));
      const webhooksEnvironment = {
        ...environment('webhooks', 0),
        MONGODB_DATABASE: `${database}_events`,
        WEBHOOKS_ALLOW_LOOPBACK: 'true',
      };
      await start(
        createWebhooksApp(loadConfig(webhooksShape, { ...webhooksEnvironment, ...overrides.events }), { ...common, ...overrides.webhooks }),
      );
    }
    const startCard = () => start(createCard(loadConfig(cardShape, environment('card', portOf('card'))), { ...common, ...overrides.card }));
    const startThreeds = () => start(createThreeds(loadConfig(threedsShape, environment('threeds', portOf('threeds'))), common));
    const services = {
      ledger: await start(
        createLedger(loadConfig(ledgerShape, environment('ledger', portOf('ledger'))), { ...common, ...clocksOf(common) }),
      ),
      identity: await start(createIdentity(loadConfig(identityShape, environment('identity', portOf('identity'))), common)),
      card: await startCard(),
      threeds: await startThreeds(),
      vault: await start(createVault(loadConfig(vaultShape, environment('vault', portOf('vault'))), common)),
    };
    if (notificationsPort !== undefined) {
      const own = { ...environment('notifications', notificationsPort), VAPID_KEY_FILE: keys.vapidKeyFile, PUSH_ALLOW_LOOPBACK: 'true' };
      await start(createNotifications(loadConfig(notificationsShape, { ...own, ...overrides.notifications }), common));
    }
    if (settlementPort !== undefined) {
      const own = { ...environment('settlement', settlementPort), SETTLEMENT_KEY_FILE: keys.settlementKeyFile };
      await start(createSettlement(loadConfig(settlementShape, { ...own, ...overrides.settlement }), common));
    }
    const chain =
      overrides.chain &&
      (await start(createChain(loadConfig(chainServiceShape, { ...environment('chain', 0), ...overrides.chain }), common)));
    const chainUrl: Environment = chain === undefined ? {} : { CHAIN_URL: chain.url };
    /** Stops the card service and starts it again at the same address. */
    const restartCard = async (): Promise<void> => {
      await services.card.close();
      services.card = await startCard();
    };
    /** Stops the 3DS service and starts it again at the same address. */
    const restartThreeds = async (): Promise<void> => {
      await services.threeds.close();
      services.threeds = await startThreeds();
    };
    /** Starts another replica of the gateway with the same services and engines, unless `changed` names others. */
    const startGateway = (changed: Environment = {}) =>
      start(
        createGateway(loadConfig(gatewayShape, { ...environment('gateway', 0), ...chainUrl, ...changed }), {
          ...common,
          ...overrides.gateway,
        }),
      );
    const { url } = await startGateway();

    const operatorKey = JSON.parse(readFileSync(keys.keyFile('operator'), 'utf8')) as unknown;
    const databases = {
      mongodbUri,
      redisUrl,
      names: [
        ...SERVICES,
        ...(eventsPort === undefined ? [] : ['events']),
        ...(notificationsPort === undefined ? [] : ['notifications']),
        ...(settlementPort === undefined ? [] : ['settlement']),
      ].map((name) => `${database}_${name}`),
    };
    return {
      /** The environment of another process of this platform. */
      environment,
      url,
      urls,
      databases,
      personToken,
      services,
      restartCard,
      restartThreeds,
      startGateway,
      clock,
      ...(await openCheckedApi(url)),
      operatorKey,
      /** Where the chain service listens; undefined when there is none. */
      chainUrl: chain?.url,
      close: closer.close,
    };
  } catch (error) {
    await closer.close();
    throw error;
  }
};

export type PlatformInProcess = Awaited<ReturnType<typeof startPlatformInProcess>>;
