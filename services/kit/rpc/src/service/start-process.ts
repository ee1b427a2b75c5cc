import type { JWTVerifyGetKey } from 'jose';
import { type Readiness, serveInternal } from '../internal/index.ts';
import { createMetrics, type Metrics } from '../metrics/index.ts';
import { createLogger, type Logger } from '../observe/index.ts';
import { type App, type ConnectionLife, createCloser } from '../process/index.ts';
import { type Runtime, systemRuntime } from '../runtime/index.ts';
import { pause } from '../time/index.ts';
import { createPlatformFetch, openTls, type PlatformFetch, type Tls, type TlsConfig } from '../tls/index.ts';

/** Replacements for real dependencies, for tests. */
export type ServiceOverrides = {
  runtime?: Partial<Runtime>;
  /** Keys that verify users' tokens, instead of those that identity publishes. */
  userKeys?: JWTVerifyGetKey;
  logger?: Logger;
};

/** Configuration of every process; a part of `serviceShape`. */
export type ProcessConfig = TlsConfig & {
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
  /** What this process measures of itself; undefined unless `METRICS_PORT` is set. */
  metrics: Metrics | undefined;
  /** When the process's servers close connections that still work. */
  connectionLife: Required<ConnectionLife>;
  /** Sets the check by which the process is ready: it returns the names of the dependencies without which the process cannot take calls. */
  readyUnless: (missing: () => Promise<string[]>) => void;
  /** Registers a release to run when the process stops. Releases run in reverse order of registration. */
  defer: (release: () => unknown) => void;
};

/** Follows a process from its start to its stop. */
const createReadiness = () => {
  const stopping = new AbortController();
  let isStarted = false;
  let missing: () => Promise<string[]> = async () => [];
  return {
    draining: stopping.signal,
    readyUnless: (check: () => Promise<string[]>): void => {
      missing = check;
    },
    started: (): void => {
      isStarted = true;
    },
    stop: (): void => stopping.abort(),
    current: async (): Promise<Readiness> => {
      if (stopping.signal.aborted) return { status: 'stopping', down: [] };
      if (!isStarted) return { status: 'starting', down: [] };
      const down = await missing();
      return { status: down.length === 0 ? 'ok' : 'unavailable', down };
    },
  };
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
    const readiness = createReadiness();
    const internal =
      metrics &&
      (await serveInternal(
        { metrics, readiness: readiness.current, logger },
        { host: config.METRICS_HOST, port: config.METRICS_PORT ?? 0 },
      ));
    if (internal !== undefined) {
      closer.defer(internal.close);
      logger.info({ url: internal.url }, 'serving metrics and probes');
    }
    const url = await build({
      logger,
      runtime,
      metrics,
      tls,
      platformFetch: createPlatformFetch(tls),
      connectionLife: { maxConnectionAgeMs: config.MAX_CONNECTION_AGE_SECONDS * 1000, draining: readiness.draining },
      readyUnless: readiness.readyUnless,
      defer: closer.defer,
    });
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
