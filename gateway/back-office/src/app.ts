import { type AuditLog, createAuditLog, startAuditRetention } from '@florin/data/audit';
import { requireSchema } from '@florin/data/migrations';
import { startRetention } from '@florin/data/retention';
import { openStore, startWriteProbe, writeProbeDocument } from '@florin/data/store';
import { startHttpServer } from '@florin/gateway/http-server';
import { createHealthCheck } from '@florin/rpc/health';
import type { App } from '@florin/rpc/process';
import { type ServiceOverrides, startProcess } from '@florin/rpc/service';
import { createRecorder } from './audit/recorder.ts';
import { requestHashKey } from './audit/request-hash-key.ts';
import { openServices } from './clients/services.ts';
import type { BackOfficeConfig } from './config.ts';
import { createCookie } from './http/cookies.ts';
import { readPages, type ServePages } from './http/pages.ts';
import { createRequestLimits, type TakeRequest } from './http/request-limits.ts';
import { createListener } from './http/serve.ts';
import { createInvitations } from './operators/invitations.ts';
import { createPasskeys } from './operators/passkeys.ts';
import { createSessions } from './operators/sessions.ts';
import { endpointsOf } from './routes/index.ts';
import { createAccessStore } from './store/accesses.ts';
import { createActionStore } from './store/actions.ts';
import { createOnceStore } from './store/once.ts';
import { createOperatorStore } from './store/operators.ts';
import { SCHEMA } from './store/schema.ts';
import { createSessionStore } from './store/sessions.ts';

/** Parts that a test may replace. */
export type BackOfficeOverrides = ServiceOverrides & {
  pages?: ServePages;
  limit?: TakeRequest;
  wrapAuditLog?: (log: AuditLog) => AuditLog;
};

/** What has expired is of no use to anybody. */
const EXPIRING = ['accesses', 'ceremonies', 'invitations', 'operator_sessions'].map((collection) => ({
  collection,
  keptMs: 0,
  due: (before: Date) => ({ expiresAt: { $lt: before } }),
}));

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
    const writes = startWriteProbe({ write: () => writeProbeDocument(connection, runtime.now()), logger });
    defer(writes.close);
    const services = openServices(config, { ...base, defer });
    const accesses = createAccessStore(connection);
    const actions = createActionStore(connection);
    const operators = createOperatorStore(connection);
    const sessionStore = createSessionStore(connection);
    const once = createOnceStore(connection);
    const { wrapAuditLog = (log) => log } = overrides;
    const auditLog = wrapAuditLog(createAuditLog(connection, runtime.now, requestHashKey(config.SERVICE_KEY)));
    await ready();
    defer(startAuditRetention({ log: auditLog, days: config.AUDIT_RETENTION_DAYS, runtime, logger }).close);
    defer(startRetention({ connection, rules: EXPIRING, runtime, logger }).close);
    const cookie = createCookie(origin, 'florin-office', 'Strict');
    const times = { idleMs: config.SESSION_IDLE_MINUTES * 60_000, lifeMs: config.SESSION_HOURS * 3_600_000 };
    const sessions = createSessions({ sessions: sessionStore, operators, runtime, cookie, times });
    const endpoints = endpointsOf({
      operators,
      sessionStore,
      sessions,
      passkeys: createPasskeys({ once, operators, runtime, origin }),
      invitations: createInvitations({ once, operators, runtime, origin }),
      record: createRecorder(auditLog),
      auditLog,
      accesses,
      actions,
      services,
      assets: config.ASSETS,
      runtime,
    });
    base.readyUnless(createHealthCheck({ mongodb: () => Promise.all([ping(), writes.check()]) }));
    const pages = overrides.pages ?? (await readPages());
    if (pages === undefined) logger.warn('the pages of the back office are not built, so only its operations are served');
    const listener = createListener({
      endpoints,
      sessions,
      cookieName: cookie.name,
      origin,
      pages,
      limit: overrides.limit ?? createRequestLimits(() => runtime.now().getTime()),
      logger,
      metrics,
    });
    const server = await startHttpServer(listener, { ...base.connectionLife, host: config.HOST, port: config.PORT });
    defer(server.close);
    return server.url;
  });
