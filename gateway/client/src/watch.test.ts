import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { FlorinError } from './errors.ts';
import { watch } from './watch.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it.each([1, 2, 1_000_000_000])(
  'connects again within six minutes, and not before it may, after Retry-After: %s',
  async (retryAfterSeconds) => {
    const controller = new AbortController();
    let connections = 0;
    const connect = (): Promise<never> => {
      connections += 1;
      return Promise.reject(new FlorinError('RATE_LIMITED', { status: 429, requestId: 'r', operation: 'o', retryAfterSeconds }));
    };
    const reading = Array.fromAsync(watch('o', connect, { signal: controller.signal }));
    await vi.advanceTimersByTimeAsync(Math.min(retryAfterSeconds, 300) * 1000);
    expect(connections).toBe(1);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(connections).toBeGreaterThan(1);
    controller.abort();
    expect(await reading).toEqual([]);
  },
);
