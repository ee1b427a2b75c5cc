import type { z } from 'zod';

type Issue = z.core.$ZodRawIssue;

const NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  bigint: 'an integer',
  boolean: 'a boolean',
  object: 'an object',
  array: 'an array',
};

const FORMATS: Readonly<Record<string, string>> = {
  uuid: 'a UUID',
  email: 'an e-mail address',
  url: 'a URL',
  datetime: 'an ISO 8601 time',
  date: 'an ISO 8601 date',
};

const UNITS: Readonly<Record<string, string>> = { string: 'character', array: 'item' };

const size = (origin: string, bound: bigint | number, word: 'least' | 'most', inclusive: boolean): string => {
  const unit = UNITS[origin];
  if (unit === undefined) return inclusive ? `must be at ${word} ${bound}` : `must be ${word === 'least' ? 'above' : 'below'} ${bound}`;
  if (word === 'least' && Number(bound) === 1) return 'must not be empty';
  return `must have at ${word} ${bound} ${unit}${Number(bound) === 1 ? '' : 's'}`;
};

/** The values of an enum of a contract are numbers, which mean nothing to a reader. */
const choice = (values: readonly unknown[]): string =>
  values.every((value) => typeof value === 'number') ? 'must be a known value' : `must be one of ${values.map(String).join(', ')}`;

/**
 * Words for the problems that a schema has no message for, in place of the library's. They state what is expected and never contain the
 * value that was sent. Pass it as `error` to `safeParse`.
 */
export const describeIssue = (issue: Issue): string => {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be ${NAMES[issue.expected] ?? 'of another type'}`;
    case 'too_small':
      return size(issue.origin, issue.minimum, 'least', issue.inclusive !== false);
    case 'too_big':
      return size(issue.origin, issue.maximum, 'most', issue.inclusive !== false);
    case 'invalid_value':
      return issue.input === undefined ? 'is required' : choice(issue.values);
    case 'invalid_format':
      return `must be ${FORMATS[issue.format] ?? 'in the documented format'}`;
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'unrecognized_keys':
      return 'has an unknown field';
    case 'invalid_union':
      return issue.discriminator === undefined ? 'must have one of the documented forms' : 'must be set to one of its fields';
    default:
      return 'is invalid';
  }
};
