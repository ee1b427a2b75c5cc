import type { z } from 'zod';

type Issue = z.core.$ZodRawIssue;

const NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'a boolean',
  object: 'an object',
  array: 'an array',
};

const UNITS: Readonly<Record<string, string>> = { string: 'characters', array: 'items' };

const size = (origin: string, bound: unknown, word: 'least' | 'most'): string => {
  const unit = UNITS[origin];
  return unit === undefined ? `must be at ${word} ${String(bound)}` : `must have at ${word} ${String(bound)} ${unit}`;
};

/** Words for the problems that a schema has no message for. They state what is expected and never contain the value. */
export const describeIssue = (issue: Issue): string | undefined => {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be ${NAMES[issue.expected] ?? issue.expected}`;
    case 'too_small':
      return size(issue.origin, issue.minimum, 'least');
    case 'too_big':
      return size(issue.origin, issue.maximum, 'most');
    case 'invalid_value':
      return issue.input === undefined ? 'is required' : `must be one of ${issue.values.map(String).join(', ')}`;
    case 'invalid_format':
      return issue.format === 'uuid' ? 'must be a UUID' : undefined;
    default:
      return undefined;
  }
};
