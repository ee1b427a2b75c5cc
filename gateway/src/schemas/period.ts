import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { z } from 'zod';

const DAY_MS = 86_400_000;

const time = z.union([z.iso.date(), z.iso.datetime({ offset: true })], 'must be an ISO 8601 date or time with its offset');

/** Query of lists that can be cut by time. */
export const periodQuery = z.object({
  from: time
    .optional()
    .meta({ description: 'ISO 8601. A time: only what happened at or after it. A date: from the beginning of that day, UTC' }),
  to: time.optional().meta({ description: 'ISO 8601. A time: only what happened before it. A date: to the end of that day, UTC' }),
});

const isDate = (text: string): boolean => !text.includes('T');

/** As the services take it: from a time on, and before another. */
export const toPeriod = ({ from, to }: z.output<typeof periodQuery>) => ({
  ...(from === undefined ? {} : { from: timestampFromDate(new Date(from)) }),
  ...(to === undefined ? {} : { to: timestampFromDate(new Date(new Date(to).getTime() + (isDate(to) ? DAY_MS : 0))) }),
});
