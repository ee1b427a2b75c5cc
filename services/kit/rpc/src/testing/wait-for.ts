import { pause } from '../time.ts';

/**
 * Repeats `probe` until it returns a value other than undefined. For tests of background work.
 * @throws Error after `timeoutMs` milliseconds, naming `what`
 */
export const waitFor = async <T>(what: string, probe: () => Promise<T | undefined>, timeoutMs = 20_000): Promise<T> => {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const found = await probe();
    if (found !== undefined) return found;
    if (Date.now() > end) throw new Error(`timed out after ${timeoutMs} ms waiting for ${what}`);
    await pause(20);
  }
};
