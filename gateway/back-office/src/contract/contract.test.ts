import { describe, expect, it } from 'vitest';
import { enrolment, reasonBody, redeliverBody } from './index.ts';

const ok = (schema: { safeParse: (value: unknown) => { success: boolean } }, value: unknown): boolean => schema.safeParse(value).success;

describe('a reason', () => {
  it.each([
    ['asked by the person', true],
    ['спросил клиент 👩‍💻', true],
    ['too short', false],
    ['x'.repeat(501), false],
    ['         spaces         ', false],
    ['\u200b'.repeat(20), false],
    ['\u2800'.repeat(20), false],
    [`ticket${'\u2060'.repeat(10)}`, false],
    ['a line\nand a line', false],
    ['nothing\u0000to see', false],
    ['half \ud800 a character', false],
    ['refund \u202edetnarg ton\u202c', false],
    ['one line\u2028another line', false],
  ])('%j is taken: %s', (reason, expected) => {
    expect(ok(reasonBody, { reason })).toBe(expected);
  });
});

describe('a name', () => {
  const named = (name: string) => ({ token: 't', ceremonyId: 'c', response: { id: 'AAAA', response: {} }, name });

  it.each([
    ['Olga Operator', true],
    ['李', true],
    [' ', false],
    ['\u200b', false],
    ['Olga\u202e', false],
    ['Olga\u0000', false],
    ['x'.repeat(81), false],
  ])('%j is taken: %s', (name, expected) => {
    expect(ok(enrolment, named(name))).toBe(expected);
  });
});

describe('the number of an event', () => {
  it.each([
    ['1', true],
    ['999999999999999', true],
    ['9999999999999999999', false],
    ['0', false],
    ['-1', false],
    ['1e3', false],
  ])('%s is taken: %s', (sequence, expected) => {
    expect(ok(redeliverBody, { sequence, reason: 'asked by the partner' })).toBe(expected);
  });
});
