import type { Metrics } from '@florin/rpc/metrics';
import type { Logger } from '@florin/rpc/observe';
import { type Rounds, startRounds } from '@florin/rpc/time';
import { endOf } from '../domain/record.ts';
import type { BlockStore } from '../store/blocks.ts';
import type { ReportStore, ReportVerdict } from '../store/reports.ts';
import { RECENT, unreportedDays } from './unreported-days.ts';

const INTERVAL_MS = 60_000;

export type MeasuringParts = {
  metrics: Pick<Metrics, 'gauge'>;
  reports: Pick<ReportStore, 'latest'>;
  blocks: Pick<BlockStore, 'after' | 'closes'>;
  now: () => Date;
  logger: Logger;
};

/**
 * Measures how old the last report is, and what it has found. An earlier closed day that was left out counts, whatever is reported after it. Without a report, the age is that of
 * the books, so that books that nobody reports are noticed.
 */
export const measureReports = ({ metrics, reports, blocks, now, logger }: MeasuringParts): Rounds => {
  let verdicts: readonly ReportVerdict[] = [];
  let booksBeganAt: Date | undefined;
  let leftOut: string | undefined;
  const round = async () => {
    const found = await reports.latest(RECENT);
    if (found.length === 0) booksBeganAt ??= (await blocks.after(0, 1))[0]?.at;
    [leftOut] = await unreportedDays(found, blocks);
    verdicts = found;
  };
  const ageSeconds = (): number => {
    const [last] = verdicts;
    const since = last === undefined ? booksBeganAt : endOf(leftOut !== undefined && leftOut < last.day ? leftOut : last.day);
    return since === undefined ? 0 : (now().getTime() - since.getTime()) / 1000;
  };
  // One without a proof of reserves says nothing of what the last one with a proof has found.
  const differences = (): number => {
    const compared = verdicts.find(({ comparesChain }) => comparesChain);
    return Math.max(verdicts[0]?.differences ?? 0, compared?.differences ?? 0);
  };
  metrics.gauge(
    'florin_settlement_report_age_seconds',
    'Time since the end of the last day with a report, or of an earlier closed day without one; without any, since the first record; 0: there is none either',
    ageSeconds,
  );
  metrics.gauge(
    'florin_settlement_report_differences',
    'Differences that the last report names, or the last one that compares the chain',
    differences,
  );
  return startRounds({ round, intervalMs: INTERVAL_MS, logger, failed: 'reading the last report failed, will retry' });
};
