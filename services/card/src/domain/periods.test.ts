import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Period, periodStart } from './periods.ts';

const PERIODS: readonly Period[] = ['day', 'week', 'month'];
const times = fc.date({ min: new Date('2000-01-01T00:00:00Z'), max: new Date('2100-01-01T00:00:00Z'), noInvalidDate: true });

describe('the start of a period', () => {
  it.each<[Period, string, string, number?]>([
    ['day', '2026-02-28T23:59:59.999Z', '2026-02-28T00:00:00Z'],
    ['day', '2026-02-28T12:00:00Z', '2026-03-01T00:00:00Z', 1],
    // A Sunday belongs to the week of the Monday before, the year notwithstanding.
    ['week', '2027-01-03T23:59:59Z', '2026-12-28T00:00:00Z'],
    ['week', '2026-12-28T00:00:00Z', '2026-12-28T00:00:00Z'],
    ['week', '2026-12-30T00:00:00Z', '2027-01-04T00:00:00Z', 1],
    ['month', '2028-02-29T10:00:00Z', '2028-02-01T00:00:00Z'],
    ['month', '2026-01-31T00:00:00Z', '2026-02-01T00:00:00Z', 1],
    ['month', '2026-01-31T00:00:00Z', '2025-12-01T00:00:00Z', -1],
  ])('%s of %s is %s (%s later)', (period, time, expected, later = 0) => {
    expect(periodStart(period, new Date(time), later)).toEqual(new Date(expected));
  });

  it('is never after the time, and the next one always is', () => {
    fc.assert(
      fc.property(fc.constantFrom(...PERIODS), times, (period, time) => {
        const [start, next] = [periodStart(period, time), periodStart(period, time, 1)];
        expect(start.getTime()).toBeLessThanOrEqual(time.getTime());
        expect(next.getTime()).toBeGreaterThan(time.getTime());
        // Periods follow each other without a gap.
        expect(periodStart(period, new Date(next.getTime() - 1))).toEqual(start);
        expect(periodStart(period, next)).toEqual(next);
      }),
    );
  });
});
