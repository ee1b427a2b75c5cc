import { processEnvironment } from './environment.ts';

export type StopSignals = {
  /** Resolves on the first SIGINT, SIGTERM or SIGHUP. */
  requested: Promise<void>;
  /** Sets the action that a second signal runs before the process exits. */
  onForce: (action: () => void) => void;
};

/** Under npm, Ctrl-C arrives twice within milliseconds, from the terminal and forwarded by npm. Both count as one request. */
const SAME_REQUEST_MS = 500;

const PARENT_CHECK_MS = 250;

/** Handles stop signals: the first requests an orderly stop, the second forces it. */
export const onStopSignals = (onFirst: () => void): StopSignals => {
  let requestedAt: number | undefined;
  let force: () => void = () => undefined;
  const requested = new Promise<void>((resolve) => {
    const request = (): void => {
      requestedAt = performance.now();
      onFirst();
      resolve();
    };
    const handle = (): void => {
      if (requestedAt === undefined) request();
      else if (performance.now() - requestedAt > SAME_REQUEST_MS) {
        force();
        process.exit(0);
      }
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, handle);
    if (processEnvironment()['npm_lifecycle_event'] !== undefined) whenParentIsGone(() => requestedAt ?? request());
  });
  return {
    requested,
    onForce: (action) => {
      force = action;
    },
  };
};

/**
 * npm runs scripts in a shell and forwards signals to that shell only, so killing npm would leave the platform running. Under
 * npm, the loss of the parent process therefore counts as a stop signal. A program started by hand may outlive its shell.
 */
const whenParentIsGone = (action: () => void): void => {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    action();
  }, PARENT_CHECK_MS);
  timer.unref();
};
