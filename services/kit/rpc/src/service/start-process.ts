import type { JWTVerifyGetKey } from 'jose';
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

/** Dependencies that every process has. */
export type Base = {
  /** Certificates of this process; undefined without mutual TLS. */
  tls: Tls | undefined;
  /** `fetch` for documents of other processes of the platform. */
  platformFetch: PlatformFetch;
  logger: Logger;
  runtime: Runtime;
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
  config: { LOG_LEVEL: string } & TlsConfig,
  overrides: ServiceOverrides,
  build: (base: Base) => Promise<string>,
): Promise<App> => {
  const logger = overrides.logger ?? createLogger(name, config.LOG_LEVEL);
  const runtime = { ...systemRuntime, ...overrides.runtime };
  const closer = createCloser();
  try {
    const tls = openTls(config, logger);
    if (tls !== undefined) closer.defer(tls.close);
    const url = await build({ logger, runtime, tls, platformFetch: createPlatformFetch(tls), defer: closer.defer });
    return { url, close: closer.close };
  } catch (error) {
    await closer.close().catch((err: unknown) => logger.warn({ err }, 'cannot release the resources of a failed start'));
    throw error;
  }
};
