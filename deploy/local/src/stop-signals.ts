export type StopSignals = {
  /** Resolves at the first SIGINT, SIGTERM or SIGHUP. */
  asked: Promise<void>;
  /** Sets what a second signal does before the process exits. */
  onForce(action: () => void): void;
};

/** Ctrl-C under npm arrives twice within milliseconds: from the terminal, and forwarded by npm. It is one request. */
const SAME_REQUEST_MS = 500;

/** The first signal asks for an orderly stop, the second one forces it. */
export function onStopSignals(onFirst: () => void): StopSignals {
  let askedAt: number | undefined;
  let force: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => {
    const handle = (): void => {
      if (askedAt === undefined) {
        askedAt = performance.now();
        onFirst();
        resolve();
      } else if (performance.now() - askedAt > SAME_REQUEST_MS) {
        force();
        process.exit(0);
      }
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, handle);
  });
  return {
    asked,
    onForce: (action) => {
      force = action;
    },
  };
}
