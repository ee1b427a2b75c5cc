import { setTimeout as sleep } from 'node:timers/promises';
import { reasonOf } from './report.ts';

const PAUSE_MS = 200;

/**
 * Repeats an attempt, which may fail, until it returns a value.
 * @param check throws when more attempts make no sense
 * @throws Error with the last reason after `timeoutMs`
 */
export const until = async <T>(
  what: string,
  attempt: () => Promise<T | undefined>,
  timeoutMs: number,
  check: () => void = () => undefined,
): Promise<T> => {
  const deadline = Date.now() + timeoutMs;
  let last: unknown;
  for (;;) {
    check();
    try {
      const value = await attempt();
      if (value !== undefined) return value;
    } catch (error) {
      last = error;
    }
    if (Date.now() > deadline) {
      throw new Error(`${what} did not happen within ${timeoutMs / 1000} s${last === undefined ? '' : `: ${reasonOf(last)}`}`);
    }
    await sleep(PAUSE_MS);
  }
};
