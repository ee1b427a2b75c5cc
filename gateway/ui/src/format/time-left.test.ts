import { expect, test } from 'vitest';
import { clockOffset, formatCountdown, secondsLeft, untilNextSecond } from './time-left.ts';

const SERVER = '2026-11-22T12:00:00.000Z';
const EXPIRES = '2026-11-22T12:05:00.000Z';

test.each([-3_600_000, 0, 90_000])('counts by the clock of the platform when this one is %i ms off', (off) => {
  const now = Date.parse(SERVER) + off;
  const offset = clockOffset(SERVER, now);
  expect(secondsLeft(EXPIRES, offset, now)).toBe(300);
  expect(secondsLeft(EXPIRES, offset, now + 299_001)).toBe(1);
  expect(secondsLeft(EXPIRES, offset, now + 300_000)).toBe(0);
  expect(secondsLeft(EXPIRES, offset, now + 900_000)).toBe(0);
});

test('wakes exactly when the number changes, and not again after the end', () => {
  const now = Date.parse(SERVER);
  expect(untilNextSecond(EXPIRES, 0, now)).toBe(1000);
  expect(untilNextSecond(EXPIRES, 0, now + 250)).toBe(750);
  expect(untilNextSecond(EXPIRES, 0, now + 300_000)).toBe(0);
});

test('writes minutes and seconds', () => {
  expect([formatCountdown(0), formatCountdown(7), formatCountdown(300), formatCountdown(900)]).toEqual(['0:00', '0:07', '5:00', '15:00']);
});
