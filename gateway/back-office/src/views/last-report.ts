import type { ReportVerdict as WireVerdict } from '@florin/proto/settlement/v1/settlement_service';
import type { ReportVerdict } from '../contract/index.ts';
import { isoOf } from './words.ts';

/** The verdict of the last report, absent when it is. */
export const lastReportOf = (report: WireVerdict | undefined): { lastReport?: ReportVerdict } => {
  if (report === undefined) return {};
  const { day, madeAt, differences, comparesChain, digest, key } = report;
  return { lastReport: { day, madeAt: isoOf(madeAt), differences, comparesChain, digest, key } };
};
