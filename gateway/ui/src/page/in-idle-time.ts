/** A page that never rests goes on nevertheless. */
const PATIENCE_MS = 2000;

/** Where the browser does not say when it rests (Safari). */
const PAUSE_MS = 200;

/** Waits until the page has nothing else to do. */
const rest = (): Promise<void> =>
  new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: PATIENCE_MS });
    else setTimeout(resolve, PAUSE_MS);
  });

/**
 * Does pieces of work one after the other, each when the page has nothing else to do. Stops at the first that fails, because the others would
 * fail too, and whoever needs one tries it again.
 */
export const inIdleTime = async (pieces: Iterable<() => unknown>, signal: AbortSignal): Promise<void> => {
  for (const piece of pieces) {
    await rest();
    if (signal.aborted) return;
    try {
      await piece();
    } catch {
      return;
    }
  }
};
