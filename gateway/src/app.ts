import { createAuthenticator, createRemoteUserKeys, createRevokedSessions, createUserTokenVerifier } from '@florin/rpc/auth';
import { createLogger } from '@florin/rpc/observe';
import { type App, createCloser } from '@florin/rpc/process';
import { openRedis } from '@florin/data/redis';
import { fetchRevocations, followRevocations } from '@florin/data/revocations';
import { systemRuntime } from '@florin/rpc/runtime';
import type { ServiceOverrides } from '@florin/rpc/service';
import express, { type Express } from 'express';
import { openUpstream } from './clients/upstream.ts';
import type { GatewayConfig } from './config.ts';
import { mountDocuments } from './docs/mount-documents.ts';
import { mountRoutes, refuseUnknown } from './http/mount.ts';
import { createOpenApiDocument } from './http/openapi.ts';
import { createRegistry, type Registry } from './http/registry.ts';
import { createRequestContext } from './http/request-context.ts';
import { startHttpServer } from './http/server.ts';
import type { Serving } from './http/serving.ts';
import { createStreamSlots } from './http/stream-slots.ts';
import { createIdempotencyRecords } from './idempotency/index.ts';
import { accessLog } from './middleware/access-log.ts';
import { createErrorHandler } from './middleware/error-handler.ts';
import { createRateLimits } from './middleware/rate-limits.ts';
import { securityHeaders } from './middleware/security-headers.ts';
import { allRoutes } from './routes/index.ts';

/** What a test may put in place of the real thing. */
export type GatewayOverrides = ServiceOverrides & { heartbeatMs?: number };

/** Proxies and phones take a silent connection for a dead one after a minute or less. */
const HEARTBEAT_MS = 15_000;

const createExpress = (config: GatewayConfig, registry: Registry, serving: Serving, logger: ReturnType<typeof createLogger>): Express => {
  const app = express();
  // Paths are exactly those of the document.
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.disable('x-powered-by');
  app.disable('etag');
  if (config.TRUST_PROXY !== undefined) app.set('trust proxy', config.TRUST_PROXY);
  app.use(createRequestContext(logger), accessLog, securityHeaders);
  mountRoutes(app, registry, serving);
  mountDocuments(app, createOpenApiDocument(registry));
  app.use(refuseUnknown, createErrorHandler(config));
  return app;
};

/**
 * Starts the gateway: opens Redis and the channels to the services, checks the routes, listens.
 * A start that fails half-way releases what it had opened.
 * @throws Error when a route is declared wrongly, Redis cannot be reached or the port is taken
 */
export const createApp = async (config: GatewayConfig, overrides: GatewayOverrides = {}): Promise<App> => {
  const logger = overrides.logger ?? createLogger('gateway', config.LOG_LEVEL);
  const runtime = { ...systemRuntime, ...overrides.runtime };
  const registry = createRegistry(allRoutes, { sandbox: config.SANDBOX });
  const closer = createCloser();
  try {
    const redis = await openRedis(config.REDIS_URL, logger);
    closer.defer(() => redis.destroy());
    const { upstream, close } = openUpstream(config, { now: runtime.now, pingRedis: () => redis.ping() });
    closer.defer(close);
    const stopping = new AbortController();
    const userKeys = overrides.userKeys ?? createRemoteUserKeys(config.IDENTITY_URL);
    const revoked = createRevokedSessions();
    const following = await followRevocations({ redis, source: fetchRevocations(config.IDENTITY_URL), revoked, logger });
    closer.defer(following.close);
    const app = createExpress(
      config,
      registry,
      {
        upstream,
        runtime,
        authenticate: createAuthenticator({ user: createUserTokenVerifier(userKeys, runtime.now), revoked }),
        revoked,
        rateLimits: createRateLimits(redis, logger, { general: config.RATE_LIMIT_PER_MINUTE, auth: config.AUTH_RATE_LIMIT_PER_MINUTE }),
        idempotency: createIdempotencyRecords(redis, runtime),
        validateAnswers: config.VALIDATE_ANSWERS,
        streams: createStreamSlots(),
        heartbeatMs: overrides.heartbeatMs ?? HEARTBEAT_MS,
        stopping: stopping.signal,
      },
      logger,
    );
    const server = await startHttpServer(app, { host: config.HOST, port: config.PORT });
    closer.defer(server.close);
    closer.defer(() => stopping.abort());
    return { url: server.url, close: closer.close };
  } catch (error) {
    await closer.close().catch((err: unknown) => logger.warn({ err }, 'release after a failed start'));
    throw error;
  }
};
