import { hkdfSync } from 'node:crypto';
import { EVENTS_SCOPES } from '@florin/proto/events/v1/scopes';
import { PartnerClientService } from '@florin/proto/identity/v1/partner_client_service';
import { UserService } from '@florin/proto/identity/v1/user_service';
import {
  type BelongsToPartner,
  belongsToPartnerAt,
  createAuthenticator,
  createRemoteUserKeys,
  createRevokedSessions,
  createServiceTokenSource,
  createUserTokenVerifier,
  type FindRegisteredClient,
  type FollowedTrust,
  findRegisteredClientAt,
  followServiceTrust,
  type RevokedSessions,
  type ServiceKey,
  type ServiceTrust,
  withRegisteredClients,
} from '@florin/rpc/auth';
import { createRpcChannel, type RpcChannel } from '@florin/rpc/client';
import { createHealthCheck, type HealthChecks } from '@florin/rpc/health';
import type { App } from '@florin/rpc/process';
import { type AuditTrail, type ServiceImplementation, startRpcServer } from '@florin/rpc/server';
import { type Base, type ProcessConfig, type ServiceOverrides, startProcess } from '@florin/rpc/service';
import type { JWTVerifyGetKey } from 'jose';
import { auditService, createAuditLog, startAuditHeads, startAuditRetention } from '../audit/index.ts';
import { requireSchema, type Schema } from '../migrations/index.ts';
import { createFeedClient } from '../outbox/index.ts';
import { openRedis, type Redis } from '../redis/index.ts';
import { fetchRevocations, followRevocations, type RevocationSource } from '../revocations/index.ts';
import { measureConnections, openStore, probeWrites, type Store } from '../store/index.ts';
import { createEventRelays, type EventRelays } from './event-relays.ts';

/** Configuration of every service: `serviceShape`, `storeShape` and `auditShape`. */
export type ServiceConfig = ProcessConfig & {
  PORT: number;
  MONGODB_URI: string;
  MONGODB_DATABASE: string;
  MONGODB_POOL_SIZE: number;
  REDIS_URL: string;
  REDIS_CA?: string | undefined;
  SANDBOX: boolean;
  RPC_REFLECTION?: boolean | undefined;
  SERVICE_KEY: ServiceKey;
  SERVICE_TRUST: ServiceTrust;
  SERVICE_TRUST_FILE?: string | undefined;
  AUDIT_RETENTION_DAYS: number;
  AUDIT_TRIMMING: 'process' | 'job';
  EVENTS_URL?: string | undefined;
};

/** Dependencies that every service has. */
export type Core = Base &
  EventRelays & {
    store: Store;
    /** Tells readiness of an error of the store that no call ends with. */
    storeFailed: (error: unknown) => void;
    redis: Redis;
    /** The service's audit log. Calls by people are recorded in it before they reach a handler. */
    audit: AuditTrail;
    /** Puts a span around each call of a store's functions while traces are recorded. `name` is that of the store in spans. */
    traceStore: <S extends object>(name: string, store: S) => S;
    /** The clients whose calls this process accepts. */
    trust: Pick<FollowedTrust, 'current'>;
    /** The revoked sessions known to this process. */
    revoked: RevokedSessions;
    /** Opens a channel to another service, with service tokens that carry `scopes`. It is closed with the service. */
    connectTo: (service: string, baseUrl: string, scopes: readonly string[]) => RpcChannel;
    /** Opens a channel to another instance of this service, for calls with the tokens of their callers. Its user closes it. */
    connectToInstance: (baseUrl: string, timeoutMs: number) => RpcChannel;
  };

/** Look-ups about partners, for a service that they call: their registered keys, and whose users they ask about. */
export type Partners = { registered: FindRegisteredClient; belongsToPartner?: BelongsToPartner };

/** Asks identity. @param identity a channel with the scope `identity.partners.check` */
export const partnersAt = (identity: RpcChannel): Partners => ({
  registered: findRegisteredClientAt(identity.client(PartnerClientService)),
  belongsToPartner: belongsToPartnerAt(identity.client(UserService)),
});

export type ServiceParts = {
  implementations: readonly ServiceImplementation[];
  /** Source of the keys of users' tokens and of revoked sessions. Identity provides its own; other services fetch them from `identityUrl`. */
  userTokens: { keys: JWTVerifyGetKey; revocations: RevocationSource } | { identityUrl: string };
  /** For a service that partners call. Without it the tokens of keys that identity has registered are rejected. */
  partners?: Partners;
  /** Health checks besides those of the engines. */
  health?: HealthChecks;
  /** True if the service is unhealthy without Redis; false where Redis only saves work. Default: true. */
  needsRedis?: boolean;
  /** JSON documents served over plain HTTP, by path. */
  documents?: Readonly<Record<string, () => Promise<unknown>>>;
  /** Called once the server accepts calls at `url`, before the start completes, so that the service can announce its address. */
  listening?: (url: string) => Promise<void>;
};

/** The key of the hashes of requests in the audit log, derived from the service's own key (HKDF, RFC 5869). */
const requestHashKey = ({ d }: ServiceKey): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', Buffer.from(d, 'base64url'), new Uint8Array(), 'florin-audit/request-hash/v1', 32));

/** A service: its name in tokens and logs, and what it knows of its database. */
export type ServiceIdentity = { name: string; schema: Schema };

/**
 * Composition root shared by the services: opens the engines, calls `build` to wire the service's own parts, and serves them.
 * While an engine is unavailable, the start waits for it.
 * @throws ConfigError when the configuration is invalid or an engine rejects the credentials
 * @throws Error when the address cannot be bound
 */
export const startService = (
  { name, schema }: ServiceIdentity,
  config: ServiceConfig,
  overrides: ServiceOverrides,
  build: (core: Core) => Promise<ServiceParts>,
): Promise<App> =>
  startProcess(name, config, overrides, async (base) => {
    const { logger, runtime, tls, tracing, platformFetch, defer } = base;
    const traceStore: Core['traceStore'] = (storeName, traced) => tracing?.traceStore('mongodb', storeName, traced) ?? traced;
    const store = await openStore({
      uri: config.MONGODB_URI,
      database: config.MONGODB_DATABASE,
      poolSize: config.MONGODB_POOL_SIZE,
      logger,
    });
    defer(store.close);
    if (base.metrics !== undefined) measureConnections(base.metrics, store.connection);
    await requireSchema(store.connection, schema);
    const writes = probeWrites(store.connection, { now: runtime.now, logger });
    defer(writes.close);
    const redis = await openRedis(config, logger);
    defer(() => redis.destroy());

    const connectTo: Core['connectTo'] = (service, baseUrl, scopes) => {
      const serviceToken = createServiceTokenSource({ key: config.SERVICE_KEY, audience: service, scopes });
      const channel = createRpcChannel({ baseUrl, serviceToken, tls, tracing, patience: runtime.patience, ownErrorsOnly: true });
      defer(channel.close);
      return channel;
    };
    const connectToInstance: Core['connectToInstance'] = (baseUrl, timeoutMs) => createRpcChannel({ baseUrl, timeoutMs, tls, tracing });
    const revoked = createRevokedSessions();
    const trust = followServiceTrust(config, logger);
    defer(trust.close);
    const { AUDIT_RETENTION_DAYS: retentionDays } = config;
    const audit = traceStore('audit', createAuditLog(store.connection, runtime.now, requestHashKey(config.SERVICE_KEY), retentionDays));
    const { EVENTS_URL } = config;
    const feed = EVENTS_URL === undefined ? undefined : createFeedClient(connectTo('events', EVENTS_URL, [EVENTS_SCOPES.append]));
    const relays = createEventRelays({ ...base, service: name, redis, now: runtime.now, feed });
    const parts = await build({
      ...base,
      ...relays,
      trust,
      store,
      storeFailed: writes.observe,
      redis,
      audit,
      traceStore,
      revoked,
      connectTo,
      connectToInstance,
    });
    await store.ready();
    defer(startAuditRetention({ log: audit, connection: store.connection, config, runtime, logger }).close);
    const heads = startAuditHeads({ service: name, key: config.SERVICE_KEY, log: audit, retentionDays, logger });
    defer(heads.close);

    const { keys, revocations } =
      'identityUrl' in parts.userTokens
        ? {
            keys: createRemoteUserKeys(parts.userTokens.identityUrl, { fetch: platformFetch }),
            revocations: fetchRevocations(parts.userTokens.identityUrl, platformFetch),
          }
        : parts.userTokens;
    const following = await followRevocations({ redis, source: revocations, revoked, logger });
    defer(following.close);
    const trusted = trust.verifierFor(name);
    const health: HealthChecks = {
      mongodb: () => Promise.all([store.ping(), writes.check()]),
      ...(parts.needsRedis === false ? {} : { redis: () => redis.ping() }),
      ...parts.health,
    };
    base.readyUnless(createHealthCheck(health));
    const server = await startRpcServer({
      ...base.connectionLife,
      failed: writes.observe,
      host: config.HOST,
      port: config.PORT,
      logger,
      authenticate: createAuthenticator({
        instance: name,
        user: createUserTokenVerifier(overrides.userKeys ?? keys, runtime.now),
        service: parts.partners === undefined ? trusted : withRegisteredClients(trusted, trust.has, parts.partners.registered),
        revoked,
      }),
      audit,
      belongsToPartner: parts.partners?.belongsToPartner,
      strictErrors: config.SANDBOX,
      reflection: config.RPC_REFLECTION ?? config.SANDBOX,
      metrics: base.metrics,
      tracing,
      ...(tls === undefined ? {} : { tls }),
      services: [...parts.implementations, auditService(audit, heads.newest)],
      health,
      ...(parts.documents === undefined ? {} : { documents: parts.documents }),
    });
    defer(() => server.close());
    await parts.listening?.(server.url);
    return server.url;
  });
