import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt';
import { CodedError } from '@florin/rpc/errors';

const toDate = (name: string, timestamp: Timestamp | undefined): Date | undefined => {
  if (timestamp === undefined) return undefined;
  const date = timestampDate(timestamp);
  // JavaScript represents no times beyond these (ECMA-262, section 21.4.1.1).
  if (Number.isNaN(date.getTime())) throw new CodedError('VALIDATION_FAILED', { message: `${name}: must be a time` });
  return date;
};

/** From a time on, and before another; each may be left out. @throws CodedError VALIDATION_FAILED */
export const timeRange = (given: { from?: Timestamp | undefined; to?: Timestamp | undefined }) => {
  const range = { from: toDate('from', given.from), to: toDate('to', given.to) };
  if (range.from !== undefined && range.to !== undefined && range.to < range.from) {
    throw new CodedError('VALIDATION_FAILED', { message: 'to: must not be before from' });
  }
  return range;
};
