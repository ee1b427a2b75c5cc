import type { JWTVerifyGetKey } from 'jose';
import { serveInternal } from '../internal.ts';
import { createMetrics, type Metrics } from '../metrics.ts';
import { createLogger, type Logger } from '../observe/index.ts';
import { type App, type ConnectionLife, createCloser } from '../process/index.ts';
import { type Runtime, systemRuntime } from '../runtime.ts';
import { pause } from '../time.ts';
import { createPlatformFetch, openTls, type PlatformFetch, type Tls, type TlsConfig } from '../tls/index.ts';
import { openConfiguredTracing, type Tracing, type TracingConfig } from '../tracing/index.ts';
import { createReadiness } from './readiness.ts';
import { startWhenAvailable } from './start-when-available.ts';

/** Replacements for real dependencies, for tests. */
export type ServiceOverrides = {
  runtime?: Partial<Runtime>;
  /** Keys that verify users' tokens, instead of those that identity publishes. */
  userKeys?: JWTVerifyGetKey;
  logger?: Logger;
};

/** Configuration of every process; a part of `serviceShape`. */
export type ProcessConfig = TlsConfig &
  TracingConfig & {
    HOST: string;
    LOG_LEVEL: string;
    METRICS_HOST: string;
    METRICS_PORT?: number | undefined;
    MAX_CONNECTION_AGE_SECONDS: number;
    DRAIN_SECONDS: number;
  };

/** Dependencies that every process has. */
export type Base = {
  /** Certificates of this process; undefined without mutual TLS. */
  tls: Tls | undefined;
  /** `fetch` for documents of other processes of the platform. */
  platformFetch: PlatformFetch;
  logger: Logger;
  runtime: Runtime;
  /** The metrics of this process; undefined unless `METRICS_PORT` is set. */
  metrics: Metrics | undefined;
  /** Where spans are recorded; undefined unless `OTEL_EXPORTER_OTLP_ENDPOINT` is set. */
  tracing: Tracing | undefined;
  /** When the process's servers close connections that still work. */
  connectionLife: Required<ConnectionLife>;
  /** Sets the check by which the process is ready: it returns the names of the dependencies without which the process cannot take calls. */
  readyUnless: (missing: () => Promise<string[]>) => void;
  /** Sets what the readiness probe warns of while the process takes calls. */
  warnWith: (warnings: () => readonly string[]) => void;
  /** Registers a release to run when the process stops. Releases run in reverse order of registration. */
  defer: (release: () => unknown) => void;
};

/**
 * Composition root shared by all processes: provides `build` with a logger, a runtime, the process's certificates and a place to register
 * releases.
 * While an engine is unavailable, the start waits for it: the process is live and not ready, and its readiness probe names the engine. A start
 * that fails releases the resources that it opened.
 * @param build wires the process and returns the URL at which it listens. It runs again when an engine was unavailable
 * @throws ConfigError, and any error that does not come from an unavailable engine
 */
export const startProcess = async (
  name: string,
  config: ProcessConfig,
  overrides: ServiceOverrides,
  build: (base: Base) => Promise<string>,
): Promise<App> => {
  const logger = overrides.logger ?? createLogger(name, config.LOG_LEVEL);
  const runtime = { ...systemRuntime, ...overrides.runtime };
  const closer = createCloser();
  try {
    const tls = openTls(config, logger);
    if (tls !== undefined) closer.defer(tls.close);
    const tracing = await openConfiguredTracing(name, config, logger);
    if (tracing !== undefined) closer.defer(tracing.close);
    const metrics = config.METRICS_PORT === undefined ? undefined : createMetrics();
    const readiness = createReadiness(() => (tls?.hasExpired() === true ? ['certificate'] : []));
    const internal =
      metrics &&
      (await serveInternal(
        { metrics, readiness: readiness.current, logger },
        { host: config.METRICS_HOST, port: config.METRICS_PORT ?? 0 },
      ));
    metrics?.gauge('florin_ready', '1 while the process takes calls, else 0', async () =>
      (await readiness.current()).status === 'ok' ? 1 : 0,
    );
    if (tls !== undefined) {
      const expiry = (): number => tls.expiresAt().getTime() / 1000;
      metrics?.gauge('florin_tls_certificate_expiry_timestamp_seconds', "When the process's own certificate expires, in Unix time", expiry);
      metrics?.gauge('florin_tls_trusted_authorities', 'Certificate authorities by which the process trusts others', tls.authorities);
    }
    if (internal !== undefined) {
      closer.defer(internal.close);
      logger.info({ url: internal.url }, 'serving metrics and probes');
    }
    const base = {
      logger,
      runtime,
      metrics,
      tracing,
      tls,
      platformFetch: createPlatformFetch(tls),
      connectionLife: { maxConnectionAgeMs: config.MAX_CONNECTION_AGE_SECONDS * 1000, draining: readiness.draining },
      readyUnless: readiness.readyUnless,
      warnWith: readiness.warnWith,
    };
    const { url, close } = await startWhenAvailable((defer) => build({ ...base, defer }), { logger, waiting: readiness.waiting });
    closer.defer(close);
    readiness.started();
    return {
      url,
      drain: async () => {
        readiness.stop();
        await pause(config.DRAIN_SECONDS * 1000);
      },
      close: closer.close,
      ...(internal === undefined ? {} : { internalUrl: internal.url }),
    };
  } catch (error) {
    await closer.close().catch((err: unknown) => logger.warn({ err }, 'cannot release the resources of a failed start'));
    throw error;
  }
};
