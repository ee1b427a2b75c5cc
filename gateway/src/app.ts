import { join } from 'node:path';
import { openRedis } from '@florin/data/redis';
import { fetchRevocations, followRevocations } from '@florin/data/revocations';
import {
  bearerToken,
  createAuthenticator,
  createRemoteUserKeys,
  createRevokedSessions,
  createUserTokenVerifier,
  findRegisteredClientAt,
  followServiceTrust,
  PARTNER_TOKEN_AUDIENCE,
  withRegisteredClients,
} from '@florin/rpc/auth';
import type { Metrics } from '@florin/rpc/metrics';
import type { Logger } from '@florin/rpc/observe';
import type { App } from '@florin/rpc/process';
import { type ServiceOverrides, startProcess } from '@florin/rpc/service';
import type { Tracing } from '@florin/rpc/tracing';
import express, { type Express } from 'express';
import { openUpstream } from './clients/upstream.ts';
import type { GatewayConfig } from './config.ts';
import { mountDocuments } from './docs/mount-documents.ts';
import { forwardedAddresses } from './http/forwarded-for.ts';
import { mountRoutes, refuseUnknown } from './http/mount.ts';
import { createPageSessions } from './http/page-session.ts';
import { createRegistry, type Registry } from './http/registry.ts';
import { createRequestContext } from './http/request-context.ts';
import { startHttpServer } from './http/server.ts';
import type { Serving } from './http/serving.ts';
import { createIdempotencyRecords } from './idempotency/index.ts';
import { createRateLimits, rateLimitKey } from './limits/rate-limits.ts';
import { createStreamSlots, createTableSlots } from './limits/slots.ts';
import { createAccessLog } from './middleware/access-log.ts';
import { createCors } from './middleware/cors.ts';
import { createErrorHandler } from './middleware/error-handler.ts';
import { securityHeaders } from './middleware/security-headers.ts';
import { type BuiltApp, readBuiltApp } from './pages/built-app.ts';
import { mountApp } from './pages/mount-app.ts';
import { createPartnerRequests } from './partner-requests/partner-requests.ts';
import { createProofs } from './proofs/proofs.ts';
import { createUsedProofs } from './proofs/used-proofs.ts';
import { pageRoutes } from './routes/app/index.ts';
import { allRoutes } from './routes/index.ts';
import { openFeedGrowth } from './streaming/feed-growth.ts';

/** Replacements for tests. */
export type GatewayOverrides = ServiceOverrides & { heartbeatMs?: number; countsTimeoutMs?: number; builtApp?: BuiltApp };

/** Proxies and mobile networks drop a silent connection after a minute or less. */
const HEARTBEAT_MS = 15_000;

/** How many users at their limit may share an IP address unless configured: an office, or a mobile network's gateway. */
const USERS_PER_ADDRESS = 20;

/** Where the build of the cardholder's app puts its files (`gateway/app/build`). */
const APP_DIST = join(import.meta.dirname, '../app/dist');

const createExpress = (
  config: GatewayConfig,
  registry: Registry,
  serving: Serving,
  builtApp: BuiltApp | undefined,
  { logger, metrics, tracing }: { logger: Logger; metrics: Metrics | undefined; tracing: Tracing | undefined },
): Express => {
  const app = express();
  // Paths match the document exactly.
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.disable('x-powered-by');
  app.disable('etag');
  if (config.TRUST_PROXY !== undefined) app.set('trust proxy', config.TRUST_PROXY).use(forwardedAddresses);
  app.use(createRequestContext(logger, tracing), createAccessLog(logger, { metrics, tracing }), securityHeaders, createCors(config));
  mountRoutes(app, registry, serving);
  mountDocuments(app, registry, serving.deployment.support);
  if (config.SERVE_APP) {
    mountRoutes(app, createRegistry(pageRoutes, { sandbox: config.SANDBOX }), serving);
    if (builtApp !== undefined)
      mountApp(app, builtApp, {
        sandbox: config.SANDBOX,
        support: config.SUPPORT_URL ?? (config.SUPPORT_EMAIL && `mailto:${config.SUPPORT_EMAIL}`),
        explorer: config.EXPLORER_URL,
      });
  }
  app.use(refuseUnknown, createErrorHandler(config));
  return app;
};

/**
 * Starts the gateway: checks the routes, opens Redis and the channels to the services, and listens.
 * @throws Error when a route declaration is invalid, Redis is unreachable or the port is in use
 */
export const createApp = async (config: GatewayConfig, overrides: GatewayOverrides = {}): Promise<App> => {
  const registry = createRegistry(allRoutes, { sandbox: config.SANDBOX });
  return startProcess('gateway', config, overrides, async ({ logger, metrics, tracing, runtime, tls, platformFetch, defer, ...base }) => {
    const redis = await openRedis(config, logger);
    defer(() => redis.destroy());
    const feedGrowth = config.EVENTS_URL === undefined ? undefined : await openFeedGrowth(redis, logger);
    defer(async () => feedGrowth?.close());
    const { upstream, close } = openUpstream(config, {
      runtime,
      pingRedis: () => redis.ping(),
      feedGrowth,
      tls,
      tracing,
      platformFetch,
      logger,
    });
    defer(close);
    base.readyUnless(upstream.missing);
    const traceStore = <S extends object>(name: string, store: S): S => tracing?.traceStore('redis', name, store) ?? store;
    const stopping = new AbortController();
    const userKeys = overrides.userKeys ?? createRemoteUserKeys(config.IDENTITY_URL, { fetch: platformFetch });
    const revoked = createRevokedSessions();
    const trust = followServiceTrust(config, logger);
    defer(trust.close);
    const findRegistered = findRegisteredClientAt(upstream.partnerClients);
    const verifyPartner = withRegisteredClients(trust.verifierFor(PARTNER_TOKEN_AUDIENCE), trust.has, findRegistered);
    const following = await followRevocations({ redis, source: fetchRevocations(config.IDENTITY_URL, platformFetch), revoked, logger });
    defer(following.close);
    const builtApp = config.SERVE_APP ? (overrides.builtApp ?? (await readBuiltApp(APP_DIST))) : undefined;
    if (config.SERVE_APP && builtApp === undefined) {
      logger.warn("the cardholder's app is not built, so it is not served at /app; `npm run build -w gateway/app` builds it");
    }
    const app = createExpress(
      config,
      registry,
      {
        upstream,
        deployment: {
          sandbox: config.SANDBOX,
          requestsPerMinute: { caller: config.RATE_LIMIT_PER_MINUTE, signIn: config.AUTH_RATE_LIMIT_PER_MINUTE },
          support: {
            ...(config.SUPPORT_URL === undefined ? {} : { url: config.SUPPORT_URL }),
            ...(config.SUPPORT_EMAIL === undefined ? {} : { email: config.SUPPORT_EMAIL }),
          },
        },
        runtime,
        authenticate: createAuthenticator({ user: createUserTokenVerifier(userKeys, runtime.now), revoked }),
        authenticatePartner: async (authorization) => verifyPartner(bearerToken(authorization)),
        revoked,
        proofs: createProofs({
          urls: config.PUBLIC_URL,
          now: runtime.now,
          used: traceStore('used-proofs', createUsedProofs({ redis, logger })),
        }),
        openPageSession: createPageSessions(config.PUBLIC_URL),
        rateLimits: createRateLimits(
          { redis, logger, hashKey: rateLimitKey(config.SERVICE_KEY), countsTimeoutMs: overrides.countsTimeoutMs },
          {
            general: config.RATE_LIMIT_PER_MINUTE,
            auth: config.AUTH_RATE_LIMIT_PER_MINUTE,
            address: config.ADDRESS_RATE_LIMIT_PER_MINUTE ?? USERS_PER_ADDRESS * config.RATE_LIMIT_PER_MINUTE,
          },
        ),
        idempotency: traceStore('idempotency', createIdempotencyRecords(redis, runtime)),
        partnerRequests: createPartnerRequests(redis, logger, { sandbox: config.SANDBOX }),
        validateAnswers: config.VALIDATE_ANSWERS,
        streams: createStreamSlots(),
        tables: createTableSlots(),
        heartbeatMs: overrides.heartbeatMs ?? HEARTBEAT_MS,
        stopping: stopping.signal,
      },
      builtApp,
      { logger, metrics, tracing },
    );
    const server = await startHttpServer(app, { ...base.connectionLife, host: config.HOST, port: config.PORT });
    defer(server.close);
    defer(() => stopping.abort());
    return server.url;
  });
};
