/** Timers of all platforms fire at once when they are asked for more. */
const LONGEST_MS = 2 ** 31 - 1;

/** Waits, unless the signal aborts. @throws the signal's reason */
export const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', stop);
        resolve();
      },
      Math.min(ms, LONGEST_MS),
    );
    if (signal?.aborted === true) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });

/** The pause before a repeat: doubles with each failure up to a maximum, and is random in its upper half, so that clients do not return together. */
export const backoffMs = (failures: number, firstMs: number, maxMs: number): number =>
  Math.min(firstMs * 2 ** Math.min(failures - 1, 16), maxMs) * (0.5 + Math.random() / 2);

/** A promise that does not keep a caller waiting who has given up. @throws the signal's reason */
export const unlessAborted = <T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> => {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
};
