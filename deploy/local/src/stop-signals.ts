import { processEnvironment } from './environment.ts';

export type StopSignals = {
  /** Resolves at the first SIGINT, SIGTERM or SIGHUP. */
  asked: Promise<void>;
  /** Sets what a second signal does before the process exits. */
  onForce(action: () => void): void;
};

/** Ctrl-C under npm arrives twice within milliseconds: from the terminal, and forwarded by npm. It is one request. */
const SAME_REQUEST_MS = 500;

const PARENT_CHECK_MS = 250;

/** The first signal asks for an orderly stop, the second one forces it. */
export function onStopSignals(onFirst: () => void): StopSignals {
  let askedAt: number | undefined;
  let force: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => {
    const ask = (): void => {
      askedAt = performance.now();
      onFirst();
      resolve();
    };
    const handle = (): void => {
      if (askedAt === undefined) ask();
      else if (performance.now() - askedAt > SAME_REQUEST_MS) {
        force();
        process.exit(0);
      }
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, handle);
    if (processEnvironment()['npm_lifecycle_event'] !== undefined) whenParentIsGone(() => askedAt ?? ask());
  });
  return {
    asked,
    onForce: (action) => {
      force = action;
    },
  };
}

/**
 * npm runs a script through a shell, and hands signals to that shell, not to us: `kill` on npm would leave the platform
 * running. A script whose shell is gone is over. Only under npm: a program started by hand may outlive its shell.
 */
function whenParentIsGone(action: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    action();
  }, PARENT_CHECK_MS);
  timer.unref();
}
