import type { JWTVerifyGetKey } from 'jose';
import { createMetrics, type Metrics, serveMetrics } from '../metrics/index.ts';
import { createLogger, type Logger } from '../observe/index.ts';
import { type App, createCloser } from '../process/index.ts';
import { type Runtime, systemRuntime } from '../runtime/index.ts';
import { createPlatformFetch, openTls, type PlatformFetch, type Tls, type TlsConfig } from '../tls/index.ts';

/** Replacements for real dependencies, for tests. */
export type ServiceOverrides = {
  runtime?: Partial<Runtime>;
  /** Keys that verify users' tokens, instead of those that identity publishes. */
  userKeys?: JWTVerifyGetKey;
  logger?: Logger;
};

/** Configuration of every process; a part of `serviceShape`. */
export type ProcessConfig = TlsConfig & { HOST: string; LOG_LEVEL: string; METRICS_HOST: string; METRICS_PORT?: number | undefined };

/** Dependencies that every process has. */
export type Base = {
  /** Certificates of this process; undefined without mutual TLS. */
  tls: Tls | undefined;
  /** `fetch` for documents of other processes of the platform. */
  platformFetch: PlatformFetch;
  logger: Logger;
  runtime: Runtime;
  /** What this process measures of itself; undefined unless `METRICS_PORT` is set. */
  metrics: Metrics | undefined;
  /** Registers a release to run when the process stops. Releases run in reverse order of registration. */
  defer: (release: () => unknown) => void;
};

/**
 * Composition root shared by all processes: provides `build` with a logger, a runtime, the process's certificates and a place to register
 * releases.
 * A start that fails releases the resources that it opened.
 * @param build wires the process and returns the URL at which it listens
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
    const metrics = config.METRICS_PORT === undefined ? undefined : createMetrics();
    const exporter = metrics && (await serveMetrics(metrics, { host: config.METRICS_HOST, port: config.METRICS_PORT ?? 0, logger }));
    if (exporter !== undefined) closer.defer(exporter.close);
    const url = await build({ logger, runtime, metrics, tls, platformFetch: createPlatformFetch(tls), defer: closer.defer });
    return { url, close: closer.close, ...(exporter === undefined ? {} : { metricsUrl: exporter.url }) };
  } catch (error) {
    await closer.close().catch((err: unknown) => logger.warn({ err }, 'cannot release the resources of a failed start'));
    throw error;
  }
};
