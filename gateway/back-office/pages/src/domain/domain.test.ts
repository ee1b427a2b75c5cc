import { expect, test } from 'vitest';
import { auditCsv, auditRows } from './audit-rows.ts';
import { guessKind } from './guess-kind.ts';
import { isReason } from './reason.ts';
import { toneOf } from './state-tone.ts';

test.each([
  ['ada@example.org', 'email'],
  [' 0x52908400098527886E0F7030069857D2E4169EE7 ', 'wallet'],
  ['4821', 'last4'],
  ['0199F0AA-1c2d-7e3f-8a4b-5c6d7e8f9a0b', 'id'],
  ['FLR-20-AB', 'reference'],
  ['48213', 'reference'],
])('takes %j for %s', (typed, kind) => {
  expect(guessKind(typed)).toBe(kind);
});

test('wants a reason that says something', () => {
  expect([isReason('  too short '), isReason('called us, ticket 12'), isReason('x'.repeat(501))]).toEqual([false, true, false]);
});

test('shows what works, what waits and what went wrong', () => {
  expect(['active', 'in-review', 'blocked', 'unheard-of'].map(toneOf)).toEqual(['good', 'warn', 'bad', 'plain']);
});

const call = (sequence: number, reason: string) => ({
  sequence,
  at: '2026-11-22T10:00:00.000Z',
  hash: 'aa',
  call: { operatorId: 'o1', operation: 'cards.freeze', reason, requestId: 'r1', subjects: { cardId: 'c1' } },
});
const outcome = (sequence: number, callSequence: number) => ({
  sequence,
  at: '2026-11-22T10:00:01.000Z',
  hash: 'bb',
  outcome: { callSequence, code: 'OK' },
});

test('joins calls of the audit log with their outcomes, newest first', () => {
  const rows = auditRows([call(1, 'first'), call(2, 'second'), outcome(3, 1)]);
  expect(rows.map(({ sequence, code }) => [sequence, code])).toEqual([
    [2, undefined],
    [1, 'OK'],
  ]);
});

test('writes the audit log so that a spreadsheet computes nothing', () => {
  const [, row = ''] = auditCsv(auditRows([call(1, '=1+1, said "Ada"')])).split('\r\n');
  expect(row).toBe(`"1","2026-11-22T10:00:00.000Z","o1","","cards.freeze","'=1+1, said ""Ada""","cardId=c1","","r1","aa"`);
});
