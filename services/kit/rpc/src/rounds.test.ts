import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { quietLogger } from './testing/index.ts';
import { startRounds } from './time.ts';

const GATHER_MS = 20;

/** Rounds that end when they are told to, and how many have begun. */
const startHeldRounds = () => {
  let begun = 0;
  let release = (): void => undefined;
  const round = (): Promise<void> => {
    begun += 1;
    return new Promise((resolve) => {
      release = resolve;
    });
  };
  const rounds = startRounds({ round, intervalMs: 500, gatherMs: GATHER_MS, logger: quietLogger, failed: 'failed' });
  const end = async (): Promise<void> => {
    release();
    await vi.advanceTimersByTimeAsync(0);
  };
  return { ...rounds, end, begun: () => begun };
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('a kick starts a round at once, and kicks during it and during the pause after it share the next one', async () => {
  const { kick, end, begun } = startHeldRounds();
  await end();
  kick();
  expect(begun()).toBe(2);
  kick();
  await end();
  kick();
  await vi.advanceTimersByTimeAsync(GATHER_MS - 1);
  kick();
  expect(begun()).toBe(2);
  await vi.advanceTimersByTimeAsync(1);
  expect(begun()).toBe(3);
  await end();
  await vi.advanceTimersByTimeAsync(2 * GATHER_MS);
  expect(begun()).toBe(3);
  kick();
  expect(begun()).toBe(4);
});

it('no round starts after the end, though one was due', async () => {
  const { kick, close, end, begun } = startHeldRounds();
  kick();
  await end();
  await close();
  kick();
  await vi.advanceTimersByTimeAsync(1000);
  expect(begun()).toBe(1);
});

it('what is due by the interval does not start twice', async () => {
  const { kick, end, begun } = startHeldRounds();
  await vi.advanceTimersByTimeAsync(490);
  kick();
  await end();
  await vi.advanceTimersByTimeAsync(10);
  expect(begun()).toBe(2);
  await end();
  await vi.advanceTimersByTimeAsync(GATHER_MS);
  expect(begun()).toBe(2);
});
