import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { z } from 'zod';

const DAY_MS = 86_400_000;

const time = z.union([z.iso.date(), z.iso.datetime({ offset: true })], 'must be an ISO 8601 date, or a time with an offset');

/** The query parameters of lists that can be limited to a period. */
export const periodQuery = z.object({
  from: time.optional().meta({
    description: 'Start of the period, inclusive, in ISO 8601: a time with an offset, or a date, which means the start of that day in UTC',
  }),
  to: time.optional().meta({
    description: 'End of the period, in ISO 8601: a time with an offset, exclusive, or a date, which means the end of that day in UTC',
  }),
});

/** The same with the earlier names of its parameters. */
export const renamedPeriodQuery = periodQuery.extend({
  after: time.optional().meta({ description: 'The same as `from`, which takes precedence', deprecated: true }),
  before: time.optional().meta({ description: 'The same as `to`, which takes precedence', deprecated: true }),
});

type Period = z.output<typeof periodQuery> & Partial<z.output<typeof renamedPeriodQuery>>;

const boundsOf = ({ after, before, from = after, to = before }: Period) => ({ from, to });

const isDate = (text: string): boolean => !text.includes('T');

const startOf = (text: string): Date => new Date(text);

/** The first moment after the period. */
const endOf = (text: string): Date => new Date(startOf(text).getTime() + (isDate(text) ? DAY_MS : 0));

/** Converts the period to the half-open interval that the services expect. */
export const toPeriod = (period: Period) => {
  const { from, to } = boundsOf(period);
  return {
    ...(from === undefined ? {} : { from: timestampFromDate(startOf(from)) }),
    ...(to === undefined ? {} : { to: timestampFromDate(endOf(to)) }),
  };
};

const isReversed = (period: Period): boolean => {
  const { from, to } = boundsOf(period);
  return from !== undefined && to !== undefined && (isDate(to) ? startOf(from) >= endOf(to) : startOf(from) > startOf(to));
};

/** Adds the rule that a period must not be reversed. Two equal times are an empty period. */
export const inOrder = <S extends z.ZodObject>(schema: S): S =>
  schema.superRefine((query: Period, { addIssue }) => {
    if (!isReversed(query)) return;
    const [first, last] = [query.from === undefined ? 'after' : 'from', query.to === undefined ? 'before' : 'to'];
    addIssue({ code: 'custom', path: [first], message: `must not be later than ${last}` });
  });
