import { expect, test } from 'vitest';
import { mergeNewest } from './merge-newest.ts';

const rows = (...days: number[]) => days.map((day) => ({ createdAt: `2026-11-${String(day).padStart(2, '0')}T12:00:00.000Z` }));

test.each([
  ['all rows of lists that are whole', [rows(9, 2), false], [rows(5, 1), false], rows(9, 5, 2, 1)],
  ['no row older than the last one of a list that goes on', [rows(9, 4), true], [rows(5, 1), false], rows(9, 5, 4)],
  ['no row older than the last one of each', [rows(9, 4), true], [rows(8, 6), true], rows(9, 8, 6)],
  ['nothing of nothing', [[], false], [[], false], []],
] as const)('has %s', (_what, [ones, onesGoOn], [others, othersGoOn], merged) => {
  expect(mergeNewest({ rows: [...ones], hasMore: onesGoOn }, { rows: [...others], hasMore: othersGoOn })).toEqual(merged);
});
