import type { JWTVerifyGetKey } from 'jose';
import {
  createAuthenticator,
  createRemoteUserKeys,
  createRevokedSessions,
  createServiceTokenSource,
  createServiceTokenVerifier,
  createUserTokenVerifier,
  type RevokedSessions,
  type ServiceKey,
  type ServiceTrust,
} from '../auth/index.ts';
import { createLogger, type Logger } from '../observe/index.ts';
import { type App, createCloser } from '../process/index.ts';
import { openRedis, type Redis } from '../redis/index.ts';
import { fetchRevocations, followRevocations, type RevocationSource } from '../revocation/index.ts';
import { createRpcChannel, type HealthChecks, type RpcChannel, type ServiceImplementation, startRpcServer } from '../rpc/index.ts';
import { type Runtime, systemRuntime } from '../runtime/index.ts';
import { openStore, type Store } from '../store/index.ts';

/** What every service's configuration holds: `serviceShape` and `storeShape` together. */
export type ServiceConfig = {
  HOST: string;
  PORT: number;
  LOG_LEVEL: string;
  MONGODB_URI: string;
  MONGODB_DATABASE: string;
  MONGODB_POOL_SIZE: number;
  REDIS_URL: string;
  SERVICE_KEY: ServiceKey;
  SERVICE_TRUST: ServiceTrust;
};

/** What a test may put in place of the real thing. */
export type ServiceOverrides = {
  runtime?: Partial<Runtime>;
  /** Keys that verify users' tokens, instead of those that identity publishes. */
  userKeys?: JWTVerifyGetKey;
  logger?: Logger;
};

/** What a service is built on. */
export type Core = {
  logger: Logger;
  runtime: Runtime;
  store: Store;
  redis: Redis;
  /** The sessions whose tokens this process refuses. */
  revoked: RevokedSessions;
  /** Opens a channel to another service, with tokens of this service's own key that carry `scopes`. Closed with the service. */
  connectTo: (service: string, baseUrl: string, scopes: readonly string[]) => RpcChannel;
  /** Registers what has to be released when the service stops, in reverse order. */
  defer: (release: () => unknown) => void;
};

export type ServiceParts = {
  implementations: readonly ServiceImplementation[];
  /** What users' tokens are verified with. Given by identity, which has it; everyone else names `identityUrl`. */
  userTokens: { keys: JWTVerifyGetKey; revocations: RevocationSource } | { identityUrl: string };
  health?: HealthChecks;
  documents?: Readonly<Record<string, () => Promise<unknown>>>;
  /** Called once calls arrive at `url`, before the start is over: for what has to tell others where it is. */
  listening?: (url: string) => Promise<void>;
};

/**
 * Composition root shared by the services: opens the engines, lets `build` wire the service's own parts, serves them.
 * A start that fails half-way releases what it had opened.
 */
export const startService = async (
  name: string,
  config: ServiceConfig,
  overrides: ServiceOverrides,
  build: (core: Core) => Promise<ServiceParts>,
): Promise<App> => {
  const logger = overrides.logger ?? createLogger(name, config.LOG_LEVEL);
  const runtime = { ...systemRuntime, ...overrides.runtime };
  const closer = createCloser();
  try {
    const store = await openStore({
      uri: config.MONGODB_URI,
      database: config.MONGODB_DATABASE,
      poolSize: config.MONGODB_POOL_SIZE,
      logger,
    });
    closer.defer(store.close);
    const redis = await openRedis(config.REDIS_URL, logger);
    closer.defer(() => redis.destroy());

    const connectTo: Core['connectTo'] = (service, baseUrl, scopes) => {
      const serviceToken = createServiceTokenSource({ key: config.SERVICE_KEY, audience: service, scopes });
      const channel = createRpcChannel({ baseUrl, serviceToken });
      closer.defer(channel.close);
      return channel;
    };
    const revoked = createRevokedSessions();
    const parts = await build({ logger, runtime, store, redis, revoked, connectTo, defer: closer.defer });
    await store.ready();

    const { keys, revocations } =
      'identityUrl' in parts.userTokens
        ? { keys: createRemoteUserKeys(parts.userTokens.identityUrl), revocations: fetchRevocations(parts.userTokens.identityUrl) }
        : parts.userTokens;
    const following = await followRevocations({ redis, source: revocations, revoked, logger });
    closer.defer(following.close);
    const server = await startRpcServer({
      host: config.HOST,
      port: config.PORT,
      logger,
      authenticate: createAuthenticator({
        user: createUserTokenVerifier(overrides.userKeys ?? keys, runtime.now),
        service: createServiceTokenVerifier(name, config.SERVICE_TRUST),
        revoked,
      }),
      revoked,
      services: parts.implementations,
      health: { mongodb: store.ping, redis: () => redis.ping(), ...parts.health },
      ...(parts.documents === undefined ? {} : { documents: parts.documents }),
    });
    closer.defer(() => server.close());
    await parts.listening?.(server.url);
    return { url: server.url, close: closer.close };
  } catch (error) {
    await closer.close().catch((err: unknown) => logger.warn({ err }, 'release after a failed start'));
    throw error;
  }
};
