import { createMetrics } from '@florin/rpc/metrics';
import { quietLogger, waitFor } from '@florin/rpc/testing';
import { it } from 'vitest';
import type { Block } from '../domain/block.ts';
import type { ReportVerdict } from '../store/reports.ts';
import { measureReports } from './measure-reports.ts';

const NOW = new Date('2026-11-25T12:00:00Z');
const hoursAgo = (hours: number) => new Date(NOW.getTime() - hours * 3_600_000);
const verdict = (day: string, differences: number, comparesChain: boolean): ReportVerdict => ({
  ...{ digest: day, day, madeAt: NOW, key: '', differences, comparesChain },
});

it.each<[string, readonly ReportVerdict[], Date | undefined, age: number, differences: number]>([
  ['without records', [], undefined, 0, 0],
  ['of books that nobody has reported', [], hoursAgo(70), 70, 0],
  ['of the last report', [verdict('2026-11-24', 0, true)], hoursAgo(70), 12, 0],
  [
    'of the last report, and what the last proof has found',
    [verdict('2026-11-24', 0, false), verdict('2026-11-23', 3, true)],
    hoursAgo(70),
    12,
    3,
  ],
  ['of a closed day that was left out', [verdict('2026-11-24', 0, true), verdict('2026-11-20', 0, true)], hoursAgo(70), 36, 0],
])('the metrics are %s', async (_what, verdicts, booksBeganAt, hours, differences) => {
  const metrics = createMetrics();
  const measured = measureReports({
    ...{ metrics, now: () => NOW, logger: quietLogger, reports: { latest: async () => [...verdicts] } },
    // The last day waits for its report, as every day does for a while.
    blocks: {
      closes: async () =>
        ['2026-11-25', '2026-11-24', '2026-11-23', '2026-11-20', '2026-11-19'].map((day) => ({ day, at: NOW, records: 0 })),
      after: async () => (booksBeganAt === undefined ? [] : [{ at: booksBeganAt } as Block]),
    },
  });
  const expected = [`florin_settlement_report_age_seconds ${hours * 3600}`, `florin_settlement_report_differences ${differences}`];
  const told = async () => (await metrics.text()).body.split('\n').filter((line) => line.startsWith('florin_settlement'));
  await waitFor('the metrics', async () => ((await told()).join() === expected.join() ? true : undefined));
  await measured.close();
});
