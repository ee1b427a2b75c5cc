import type { ReportVerdict as WireVerdict } from '@florin/proto/settlement/v1/settlement_service';
import type { ReportVerdict } from '../contract/index.ts';
import { isoOf } from './words.ts';

export const toVerdict = ({ day, madeAt, differences, comparesChain, digest, key }: WireVerdict): ReportVerdict => {
  return { day, madeAt: isoOf(madeAt), differences, comparesChain, digest, key };
};
