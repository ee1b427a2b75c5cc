import type { JWTVerifyGetKey } from 'jose';
import { createLogger, type Logger } from '../observe/index.ts';
import { type App, createCloser } from '../process/index.ts';
import { type Runtime, systemRuntime } from '../runtime/index.ts';

/** What a test may put in place of the real thing. */
export type ServiceOverrides = {
  runtime?: Partial<Runtime>;
  /** Keys that verify users' tokens, instead of those that identity publishes. */
  userKeys?: JWTVerifyGetKey;
  logger?: Logger;
};

/** What every process is built on. */
export type Base = {
  logger: Logger;
  runtime: Runtime;
  /** Registers a release for when the process stops; releases run in reverse order. */
  defer: (release: () => unknown) => void;
};

/**
 * Composition root shared by all processes: gives `build` a logger, a runtime and a place to register releases.
 * A start that fails half-way releases what it has opened.
 * @param build wires the process and returns the URL where it listens
 */
export const startProcess = async (
  name: string,
  config: { LOG_LEVEL: string },
  overrides: ServiceOverrides,
  build: (base: Base) => Promise<string>,
): Promise<App> => {
  const logger = overrides.logger ?? createLogger(name, config.LOG_LEVEL);
  const runtime = { ...systemRuntime, ...overrides.runtime };
  const closer = createCloser();
  try {
    const url = await build({ logger, runtime, defer: closer.defer });
    return { url, close: closer.close };
  } catch (error) {
    await closer.close().catch((err: unknown) => logger.warn({ err }, 'releasing resources after a failed start failed'));
    throw error;
  }
};
