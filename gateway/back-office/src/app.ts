import { type AuditLog, createAuditLog, startAuditHeads, startAuditRetention } from '@florin/data/audit';
import { requireSchema } from '@florin/data/migrations';
import { startRetention } from '@florin/data/retention';
import { openStore, probeWrites } from '@florin/data/store';
import { startHttpServer } from '@florin/gateway/http-server';
import { ConfigError } from '@florin/rpc/config';
import { createHealthCheck } from '@florin/rpc/health';
import type { App } from '@florin/rpc/process';
import { type ServiceOverrides, startProcess } from '@florin/rpc/service';
import { createRecorder, createRefusalRecorder } from './audit/recorder.ts';
import { requestHashKey } from './audit/request-hash-key.ts';
import { openServices } from './clients/services.ts';
import type { BackOfficeConfig } from './config.ts';
import { createCookie } from './http/cookies.ts';
import { readPages, type ServePages } from './http/pages.ts';
import { createRequestLimits, type TakeRequest } from './http/request-limits.ts';
import { createListener } from './http/serve.ts';
import { createInvitations } from './operators/invitations.ts';
import { createOidc, type Oidc } from './operators/oidc.ts';
import { createPasskeys } from './operators/passkeys.ts';
import { createSessions } from './operators/sessions.ts';
import { startErasingNotes } from './queues/erase-notes.ts';
import { endpointsOf } from './routes/index.ts';
import { createAccessStore } from './store/accesses.ts';
import { createActionStore } from './store/actions.ts';
import { createOnceStore } from './store/once.ts';
import { createOperatorStore } from './store/operators.ts';
import { createHaltOrderStore, createReplacementOrderStore } from './store/orders.ts';
import { createQueueItemStore } from './store/queue-items.ts';
import { retentionRules } from './store/retention-rules.ts';
import { SCHEMA } from './store/schema.ts';
import { createSessionStore } from './store/sessions.ts';

/** Parts that a test may replace. */
export type BackOfficeOverrides = ServiceOverrides & {
  pages?: ServePages;
  limit?: TakeRequest;
  wrapAuditLog?: (log: AuditLog) => AuditLog;
};

/** @throws ConfigError for an issuer without a client */
const openOidc = ({
  BACK_OFFICE_URL,
  OIDC_ISSUER,
  OIDC_CLIENT_ID,
  OIDC_CLIENT_SECRET,
  OIDC_ROLES_CLAIM,
  OIDC_ACR_VALUES,
}: BackOfficeConfig): Oidc | undefined => {
  if (OIDC_ISSUER === undefined) return undefined;
  if (OIDC_CLIENT_ID === undefined || OIDC_CLIENT_SECRET === undefined) {
    throw new ConfigError('OIDC_CLIENT_ID: is required with OIDC_ISSUER, as is OIDC_CLIENT_SECRET');
  }
  const client = {
    issuer: OIDC_ISSUER,
    clientId: OIDC_CLIENT_ID,
    clientSecret: OIDC_CLIENT_SECRET,
    rolesClaim: OIDC_ROLES_CLAIM,
    acrValues: OIDC_ACR_VALUES,
  };
  return createOidc(client, BACK_OFFICE_URL);
};

/**
 * Starts the back office: opens its database and the channels to the services, and listens.
 * @throws ConfigError when the configuration is invalid or MongoDB rejects the credentials
 * @throws Error when the port is in use
 */
export const createApp = (config: BackOfficeConfig, overrides: BackOfficeOverrides = {}): Promise<App> =>
  startProcess('back-office', config, overrides, async ({ logger, runtime, metrics, defer, ...base }) => {
    const { BACK_OFFICE_URL: origin } = config;
    const { connection, close, ready, ping } = await openStore({
      uri: config.MONGODB_URI,
      database: config.MONGODB_DATABASE,
      poolSize: config.MONGODB_POOL_SIZE,
      logger,
    });
    defer(close);
    await requireSchema(connection, SCHEMA);
    const writes = probeWrites(connection, { now: runtime.now, logger });
    defer(writes.close);
    const services = openServices(config, { ...base, runtime, defer });
    const accesses = createAccessStore(connection);
    const actions = createActionStore(connection);
    const haltOrders = createHaltOrderStore(connection);
    const replacementOrders = createReplacementOrderStore(connection);
    const queueItems = createQueueItemStore(connection);
    const operators = createOperatorStore(connection);
    const sessionStore = createSessionStore(connection);
    const once = createOnceStore(connection);
    const { wrapAuditLog = (log) => log } = overrides;
    const auditLog = wrapAuditLog(createAuditLog(connection, runtime.now, requestHashKey(config.SERVICE_KEY), config.AUDIT_RETENTION_DAYS));
    await ready();
    defer(startAuditRetention({ log: auditLog, connection, config, runtime, logger }).close);
    defer(
      startAuditHeads({
        service: 'back-office',
        key: config.SERVICE_KEY,
        log: auditLog,
        retentionDays: config.AUDIT_RETENTION_DAYS,
        logger,
      }).close,
    );
    const rules = retentionRules({ idempotency: config.RETENTION_IDEMPOTENCY_DAYS, audit: config.AUDIT_RETENTION_DAYS });
    defer(startRetention({ connection, rules, runtime, logger }).close);
    defer(startErasingNotes({ services, queueItems, logger }).close);
    const cookie = createCookie(origin, 'florin-office', 'Strict');
    const times = { idleMs: config.SESSION_IDLE_MINUTES * 60_000, lifeMs: config.SESSION_HOURS * 3_600_000 };
    const sessions = createSessions({ sessions: sessionStore, operators, runtime, cookie, times });
    const oidc = openOidc(config);
    const provider =
      oidc === undefined ? undefined : { name: config.OIDC_NAME, oidc, cookie: createCookie(origin, 'florin-office-oidc', 'Lax') };
    const record = createRecorder(auditLog);
    const recordRefusal = createRefusalRecorder(record, () => runtime.now().getTime());
    const parts = {
      operators,
      once,
      sessionStore,
      sessions,
      passkeys: createPasskeys({ once, operators, runtime, origin }),
      invitations: createInvitations({ once, operators, runtime, origin }),
      record,
      recordRefusal,
      auditLog,
      accesses,
      actions,
      haltOrders,
      replacementOrders,
      queueItems,
      services,
      assets: config.ASSETS,
      runtime,
    };
    base.readyUnless(createHealthCheck({ mongodb: () => Promise.all([ping(), writes.check()]) }));
    const pages = overrides.pages ?? (await readPages());
    if (pages === undefined) logger.warn('the pages of the back office are not built, so only its operations are served');
    const listener = createListener({
      endpoints: endpointsOf({ ...parts, cookieName: cookie.name }, provider),
      sessions,
      recordRefusal,
      cookieName: cookie.name,
      origin,
      pages,
      limit: overrides.limit ?? createRequestLimits(() => runtime.now().getTime()),
      logger,
      metrics,
      failed: writes.observe,
    });
    const server = await startHttpServer(listener, { ...base.connectionLife, host: config.HOST, port: config.PORT });
    defer(server.close);
    return server.url;
  });
