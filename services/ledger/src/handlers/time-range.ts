import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt';
import { CodedError } from '@florin/rpc/errors';

const toDate = (name: string, timestamp: Timestamp | undefined): Date | undefined => {
  if (timestamp === undefined) return undefined;
  const date = timestampDate(timestamp);
  // Beyond this a time is no time (ECMA-262, section 21.4.1.1).
  if (Number.isNaN(date.getTime())) throw new CodedError('VALIDATION_FAILED', { message: `${name}: is not a time` });
  return date;
};

/** From a time on, and before another; each may be left out. @throws CodedError VALIDATION_FAILED */
export const timeRange = ({ from, to }: { from?: Timestamp | undefined; to?: Timestamp | undefined }) => ({
  from: toDate('from', from),
  to: toDate('to', to),
});
