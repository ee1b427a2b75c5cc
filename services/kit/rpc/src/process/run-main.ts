import { ConfigError, type Environment, processEnvironment } from '../config/index.ts';
import { createLogger } from '../observe/index.ts';
import type { App } from './app.ts';

/** Time limit for a stop, after draining; after it the process exits with code 1. */
const CLOSE_TIMEOUT_MS = 8000;

/**
 * Runs a process: starts it, and stops it on SIGTERM, SIGINT, or when the IPC channel to its supervisor closes. On SIGTERM it drains first.
 * An invalid configuration ends it with exit code 78 (EX_CONFIG of sysexits.h) and one line on stderr.
 */
export const runMain = async (name: string, start: (env: Environment) => Promise<App>): Promise<void> => {
  const logger = createLogger(name, 'info');
  let app: App;
  try {
    app = await start(processEnvironment());
  } catch (err) {
    if (err instanceof ConfigError) {
      process.stderr.write(`${name}: ${err.message}\n`);
      process.exit(78);
    }
    logger.fatal({ err }, 'start failed');
    process.stderr.write(`${name}: start failed: ${err instanceof Error ? err.message : 'unknown error'}\n`);
    logger.flush(() => process.exit(1));
    return;
  }
  logger.info({ url: app.url }, 'listening');

  let stopping = false;
  const close = (): Promise<void> => {
    setTimeout(() => process.exit(1), CLOSE_TIMEOUT_MS).unref();
    return app.close();
  };
  const stop = (reason: string, exitCode: number, drain: () => Promise<void> = async () => undefined): void => {
    if (stopping) return;
    stopping = true;
    logger.info({ reason }, 'stopping');
    drain()
      .then(close)
      .then(
        () => logger.flush(() => process.exit(exitCode)),
        (err: unknown) => {
          logger.error({ err }, 'stop failed');
          logger.flush(() => process.exit(1));
        },
      );
  };
  process.on('SIGTERM', () => stop('SIGTERM', 0, app.drain));
  process.on('SIGINT', () => stop('SIGINT', 0));
  process.on('disconnect', () => stop('supervisor disconnected', 0));
  // State may be inconsistent after either, so the process ends and its supervisor restarts it.
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (err: unknown) => {
      logger.fatal({ err }, event);
      stop(event, 1);
    });
  }
};
