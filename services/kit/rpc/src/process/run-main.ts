import { ConfigError, type Environment, processEnvironment } from '../config/index.ts';
import { createLogger } from '../observe/index.ts';
import type { App } from './app.ts';

/** Time limit for a stop, after draining; after it the process exits with code 1. */
const CLOSE_TIMEOUT_MS = 8000;

/** Exit codes of a process. Supervisors may treat `invalidConfiguration` as a failure that a restart does not repair. */
const EXIT = { stopped: 0, failed: 1, invalidConfiguration: 78 } as const;

/**
 * Runs a process: starts it, and stops it on SIGTERM, SIGINT, or when the IPC channel to its supervisor closes. On SIGTERM it drains first.
 * A process that has not started yet ends at once.
 *
 * An invalid configuration ends it with exit code 78 (EX_CONFIG of sysexits.h) and one line on stderr, any other failed start, and a fault that
 * nothing handled, with exit code 1.
 */
export const runMain = async (name: string, start: (env: Environment) => Promise<App>): Promise<void> => {
  const logger = createLogger(name, 'info');
  let app: App | undefined;
  let stopping = false;
  const exit = (code: number): void => logger.flush(() => process.exit(code));

  const close = async (): Promise<void> => {
    setTimeout(() => process.exit(EXIT.failed), CLOSE_TIMEOUT_MS).unref();
    await app?.close();
  };
  const stop = (reason: string, exitCode: number, drains = false): void => {
    if (stopping) return;
    stopping = true;
    logger.info({ reason }, 'stopping');
    const drained = drains ? app?.drain() : undefined;
    Promise.resolve(drained)
      .then(close)
      .then(
        () => exit(exitCode),
        (err: unknown) => {
          logger.error({ err }, 'stop failed');
          exit(EXIT.failed);
        },
      );
  };
  process.on('SIGTERM', () => stop('SIGTERM', EXIT.stopped, true));
  process.on('SIGINT', () => stop('SIGINT', EXIT.stopped));
  process.on('disconnect', () => stop('supervisor disconnected', EXIT.stopped));
  // State may be inconsistent after either, so the process ends and its supervisor restarts it.
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (err: unknown) => {
      logger.fatal({ err }, event);
      stop(event, EXIT.failed);
    });
  }

  try {
    app = await start(processEnvironment());
    logger.info({ url: app.url }, 'listening');
  } catch (err) {
    if (err instanceof ConfigError) {
      process.stderr.write(`${name}: ${err.message}\n`);
      process.exit(EXIT.invalidConfiguration);
    }
    logger.fatal({ err }, 'start failed');
    process.stderr.write(`${name}: start failed: ${err instanceof Error ? err.message : 'unknown error'}\n`);
    exit(EXIT.failed);
  }
};
