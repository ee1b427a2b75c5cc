import { expect, it } from 'vitest';
import { findMissedRelease } from './runtime-age.ts';

const NOW = new Date('2026-11-24T00:00:00Z');
const PUBLISHED = {
  created: '2012-01-01T00:00:00Z',
  '22.30.0': '2026-01-01T00:00:00Z',
  '24.9.0': '2025-09-26T00:00:00Z',
  '24.10.0': '2025-10-09T00:00:00Z',
  '24.21.0': '2026-09-10T00:00:00Z',
  '25.0.0-rc.1': '2025-10-01T00:00:00Z',
  '25.1.0': '2026-01-01T00:00:00Z',
};

it.each([
  ['24.9.0', '24.10.0'],
  ['24.10.0', undefined],
  ['24.21.0', undefined],
  ['22.29.0', '22.30.0'],
  ['26.0.0', undefined],
])('the release that %s has missed for more than ninety days is %s', (pinned, missed) => {
  expect(findMissedRelease(pinned, PUBLISHED, NOW)).toBe(missed);
});
