import { pause } from '../time/index.ts';

/** Repeats `probe` until it answers something, or fails after `timeoutMs`. For tests of what happens in the background. */
export const waitFor = async <T>(what: string, probe: () => Promise<T | undefined>, timeoutMs = 10_000): Promise<T> => {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const found = await probe();
    if (found !== undefined) return found;
    if (Date.now() > end) throw new Error(`waited ${timeoutMs} ms in vain for ${what}`);
    await pause(20);
  }
};
