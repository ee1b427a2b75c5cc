import { expect, it } from 'vitest';
import { createSteadyClock } from './steady-clock.ts';

const START = Date.parse('2026-03-01T12:00:00Z');

/** A steady clock on a monotonic and a wall clock that a test moves. */
const newClock = () => {
  const at = { monotonic: 100, wall: START };
  const now = createSteadyClock(
    () => at.monotonic,
    () => at.wall,
  );
  return { at, now };
};

it('goes on with the monotonic clock, whatever small steps the wall clock makes', () => {
  const { at, now } = newClock();
  for (let step = 1; step <= 1000; step += 1) {
    at.monotonic += 0.3;
    at.wall = START + Math.round(0.3 * step) + (step % 3);
    expect(now()).toBeCloseTo(100 + 0.3 * step);
  }
});

it('goes on by the time of a suspension, and of several short ones', () => {
  const { at, now } = newClock();
  at.wall += 3_600_000;
  expect(now()).toBe(3_600_100);
  for (let pause = 0; pause < 3; pause += 1) {
    at.wall += 300;
    now();
  }
  expect(now()).toBe(3_600_700);
});

it('does not go back with the wall clock, and sees a suspension afterwards', () => {
  const { at, now } = newClock();
  at.wall -= 86_400_000;
  at.monotonic += 5;
  expect(now()).toBe(105);
  at.wall += 10_000;
  expect(now()).toBe(10_105);
});
