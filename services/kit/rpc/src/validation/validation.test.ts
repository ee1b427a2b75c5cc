import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { CodedError, fromWire, toWire } from '../errors/index.ts';
import { describeIssue, readViolations } from './index.ts';

const problemOf = (schema: z.ZodType, value: unknown): string | undefined =>
  schema.safeParse(value, { error: describeIssue }).error?.issues[0]?.message;

/** Words of the library's own messages. */
const LIBRARY = /\b(?:Invalid|expected|received|discriminator|NaN|Too (?:big|small)|pattern|Unrecognized)\b/;

const SCHEMAS: [z.ZodType, unknown, string][] = [
  [z.string(), undefined, 'is required'],
  [z.string(), 5, 'must be a string'],
  [z.coerce.number(), 'x', 'must be a number'],
  [z.int(), 1.5, 'must be an integer'],
  [z.string().min(1), '', 'must not be empty'],
  [z.string().min(2), '', 'must have at least 2 characters'],
  [z.string().max(1), 'ab', 'must have at most 1 character'],
  [z.array(z.string()).min(1), [], 'must not be empty'],
  [z.number().positive(), 0, 'must be above 0'],
  [z.number().max(3), 4, 'must be at most 3'],
  [z.number().multipleOf(2), 3, 'must be a multiple of 2'],
  [z.enum(['a', 'b']), 'c', 'must be one of a, b'],
  [z.enum({ A: 0, B: 1 }), 7, 'must be a known value'],
  [z.uuid(), 'x', 'must be a UUID'],
  [z.email(), 'x', 'must be an e-mail address'],
  [z.string().regex(/x/), 'y', 'must be in the documented format'],
  [z.string().refine(() => false, 'must be good'), 'y', 'must be good'],
  [z.strictObject({}), { a: 1 }, 'has an unknown field'],
  [z.union([z.string(), z.number()]), true, 'must have one of the documented forms'],
  [z.map(z.string(), z.string()), new Map([[1, 'a']]), 'must be a string'],
  [z.date(), 'x', 'must be of another type'],
  [z.never(), 1, 'must be of another type'],
];

describe('describeIssue', () => {
  it.each(SCHEMAS)('describes %o with %o as %j', (schema, value, text) => {
    expect(problemOf(schema, value)).toBe(text);
    expect(problemOf(schema, value)).not.toMatch(LIBRARY);
  });
});

describe('violations', () => {
  it('travel as metadata, in names of the contract', () => {
    const error = new CodedError('VALIDATION_FAILED', { message: 'entries.0.holdId: must be a UUID; the request is odd' });
    const { metadata } = fromWire(toWire(error));
    expect(JSON.parse(metadata['violations'] ?? '')).toEqual([
      { field: 'entries[0].hold_id', problem: 'must be a UUID' },
      { field: '', problem: 'the request is odd' },
    ]);
    expect(fromWire(toWire(new CodedError('NOT_FOUND'))).metadata).toEqual({});
  });

  it('are read from a message without paths', () => {
    expect(readViolations('is wrong')).toEqual([{ field: '', problem: 'is wrong' }]);
  });
});
