import type { BlockStore } from '../store/blocks.ts';
import type { ReportVerdict } from '../store/reports.ts';

/** Verdicts and closes that are looked at: some months of daily reports. */
export const RECENT = 100;

/** The last closed days that have no report, oldest first, since the first of the given verdicts; without any, the last closed day at most. */
export const unreportedDays = async (verdicts: readonly ReportVerdict[], blocks: Pick<BlockStore, 'closes'>): Promise<string[]> => {
  const closed = (await blocks.closes(RECENT)).map(({ day }) => day);
  const reported = new Set(verdicts.map(({ day }) => day));
  const since = verdicts.at(-1)?.day ?? closed[0] ?? '';
  return closed.filter((day) => day >= since && !reported.has(day)).toReversed();
};
