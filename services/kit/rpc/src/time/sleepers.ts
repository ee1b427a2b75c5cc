/** Those who wait for something with a name to happen. */
export type Sleepers = {
  /** Resolves when the name is woken, the time is over, or the signal aborts. */
  wait: (name: string, timeoutMs: number, signal: AbortSignal) => Promise<void>;
  wake: (name: string) => void;
  wakeAll: () => void;
};

/** Creates a set of sleepers without any. Those who look by themselves as well are told of nothing that they would miss. */
export const createSleepers = (): Sleepers => {
  const byName = new Map<string, Set<() => void>>();
  const wake = (name: string): void => {
    for (const rise of byName.get(name) ?? []) rise();
  };
  return {
    wait: (name, timeoutMs, signal) =>
      new Promise((resolve) => {
        const own = byName.get(name) ?? new Set();
        byName.set(name, own);
        const rise = (): void => {
          clearTimeout(timer);
          signal.removeEventListener('abort', rise);
          own.delete(rise);
          if (own.size === 0 && byName.get(name) === own) byName.delete(name);
          resolve();
        };
        const timer = setTimeout(rise, timeoutMs);
        own.add(rise);
        signal.addEventListener('abort', rise, { once: true });
        if (signal.aborted) rise();
      }),
    wake,
    wakeAll: () => {
      for (const name of [...byName.keys()]) wake(name);
    },
  };
};
