import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '@connectrpc/connect';
import { startNeighbours } from '@florin/events/testing/neighbours';
import { compileCacheDir, type Engines, NODE_FLAGS, startEngines } from '@florin/local';
import { FeedService } from '@florin/proto/events/v1/feed_service';
import { EVENTS_SCOPES, PARTNER_SCOPES } from '@florin/proto/events/v1/scopes';
import { WebhookEndpointService } from '@florin/proto/events/v1/webhook_endpoint_service';
import { IDENTITY_SCOPES } from '@florin/proto/identity/v1/scopes';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { createServiceTokenSource } from '@florin/rpc/auth';
import { createRpcChannel } from '@florin/rpc/client';
import { processEnvironment } from '@florin/rpc/config';
import { createTestAuthority } from '@florin/rpc/testing/authority';
import { testPort } from '@florin/rpc/testing/test-port';
import { createServiceProcess, type ServiceProcess } from './service-process.ts';
import { ROOT } from './settings.ts';

const CALL_TIMEOUT_MS = 60_000;

/** The events service and the process that delivers webhooks, on engines of their own, with stand-ins for identity and ledger. */
export type EventsProcesses = {
  engines: Engines;
  /** Partners by user. */
  partners: Map<string, string>;
  /** Appends events, as the card service does. */
  feed: Client<typeof FeedService>;
  /** Manages endpoints, as the back office does. */
  webhooks: Client<typeof WebhookEndpointService>;
  events: ServiceProcess;
  deliverer: ServiceProcess;
  close: () => Promise<void>;
};

const newKey = (): string => randomBytes(32).toString('base64url');

/** @param dataDir where the engines keep their data, and all processes their logs, in `logs/` */
export const openEventsProcesses = async (dataDir: string, report: (line: string) => void): Promise<EventsProcesses> => {
  // Own engines, even if the environment names others: they are put under load.
  const { MONGODB_URI: _mongodb, REDIS_URL: _redis, ...own } = processEnvironment();
  await mkdir(join(dataDir, 'logs'), { recursive: true });
  const engines = await startEngines({ dataDir, env: own, report });
  const authority = await createTestAuthority({
    events: [IDENTITY_SCOPES.readUsers, LEDGER_SCOPES.readAccounts],
    webhooks: [],
    card: [EVENTS_SCOPES.append],
    backOffice: [...PARTNER_SCOPES],
  });
  const neighbours = await startNeighbours(authority, () => new Date());
  const shared: NodeJS.ProcessEnv = {
    ...own,
    ...neighbours.environment,
    NODE_COMPILE_CACHE: compileCacheDir(own),
    HOST: '127.0.0.1',
    MONGODB_URI: engines.mongodbUri,
    REDIS_URL: engines.redisUrl,
    SANDBOX: 'true',
    WEBHOOKS_ALLOW_LOOPBACK: 'true',
    FOLLOW_JOURNAL: 'false',
    LOG_LEVEL: 'warn',
    SERVICE_TRUST: JSON.stringify(authority.trust),
    FIELD_KEYS: JSON.stringify([{ id: '1', key: newKey() }]),
    FIELD_HASH_KEY: newKey(),
  };
  const processOf = async (name: 'events' | 'webhooks', source: string): Promise<ServiceProcess> => {
    const port = await testPort();
    return createServiceProcess({
      name,
      url: `http://127.0.0.1:${port}`,
      command: [process.execPath, ...(NODE_FLAGS[name] ?? []), join(ROOT, source)],
      env: { ...shared, PORT: String(port), SERVICE_KEY: JSON.stringify(authority.serviceKey(name)) },
      logFile: join(dataDir, 'logs', `${name}.log`),
      respawn: false,
    });
  };
  const events = await processOf('events', 'services/events/src/main.ts');
  const deliverer = await processOf('webhooks', 'services/events/src/webhooks/main.ts');
  // One after the other: both would create the same collections.
  await events.start();
  await deliverer.start();
  const channelOf = (client: string, scopes: readonly string[]) =>
    createRpcChannel({
      baseUrl: events.url,
      serviceToken: createServiceTokenSource({ key: authority.serviceKey(client), audience: 'events', scopes }),
      timeoutMs: CALL_TIMEOUT_MS,
    });
  const [appending, managing] = [channelOf('card', [EVENTS_SCOPES.append]), channelOf('backOffice', PARTNER_SCOPES)];
  return {
    engines,
    partners: neighbours.partners,
    feed: appending.client(FeedService),
    webhooks: managing.client(WebhookEndpointService),
    events,
    deliverer,
    close: async () => {
      await Promise.all([appending.close(), managing.close()]);
      await Promise.all([events.stop(), deliverer.stop()]);
      await neighbours.close();
      await engines.stop();
    },
  };
};
