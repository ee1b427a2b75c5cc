type Locks = { request: <T>(name: string, options: { signal: AbortSignal }, work: () => Promise<T>) => Promise<T> };

/** A tab that is stopped while it has the lock must not stop the others for longer. */
const LONGEST_WAIT_MS = 30_000;

/** Does something in one tab at a time, where there are Web Locks. @param name undefined: without a lock */
export const inOneTab = async <T>(name: string | undefined, work: () => Promise<T>): Promise<T> => {
  const { locks } = ((globalThis as { navigator?: unknown }).navigator ?? {}) as { locks?: Locks };
  if (name === undefined || locks === undefined) return work();
  let running: Promise<T> | undefined;
  const signal = AbortSignal.timeout(LONGEST_WAIT_MS);
  try {
    return await locks.request(name, { signal }, () => {
      running = work();
      return running;
    });
  } catch (error) {
    if (running === undefined && signal.aborted) return work();
    throw error;
  }
};
