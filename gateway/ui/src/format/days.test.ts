import { expect, test } from 'vitest';
import { byDay, dayOf, formatDay } from './days.ts';

test('groups by the day of the reader, not that of the platform', () => {
  const rows = ['2026-11-22T23:30:00.000Z', '2026-11-22T22:30:00.000Z', '2026-11-21T10:00:00.000Z'].map((createdAt) => ({ createdAt }));
  expect(byDay(rows, 'UTC').map(({ day, rows: of }) => [day, of.length])).toEqual([
    ['2026-11-22', 2],
    ['2026-11-21', 1],
  ]);
  expect(byDay(rows, 'Europe/Berlin').map(({ day }) => day)).toEqual(['2026-11-23', '2026-11-22', '2026-11-21']);
  expect(byDay([])).toEqual([]);
});

test('names days as people do', () => {
  const of = (day: string, locale: string) => formatDay(day, '2026-11-22', locale);
  expect([of('2026-11-22', 'en-GB'), of('2026-11-21', 'de-DE'), of('2026-11-01', 'en-GB'), of('2025-12-31', 'de-DE')]).toEqual([
    'Today',
    'Gestern',
    '1 November',
    '31. Dezember 2025',
  ]);
});

test('writes a day as a date', () => {
  expect(dayOf('2026-01-05T12:00:00.000Z', 'UTC')).toBe('2026-01-05');
});
