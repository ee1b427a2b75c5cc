import { afterAll, beforeAll, expect, it } from 'vitest';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { playStory } from './play-story.ts';

let platform: PlatformInProcess;
beforeAll(async () => {
  platform = await startPlatformInProcess({}, { events: {} });
});
afterAll(() => platform?.close());

it('plays every step of the story', { timeout: 120_000 }, async () => {
  const lines: string[] = [];
  await playStory(platform.url, (line) => lines.push(line));
  expect(lines.at(-1)).toBe('\nThe demo is complete: all 26 steps had the expected result.');
});

it('shows the events of the story, and proves that none is missing', { timeout: 180_000 }, async () => {
  const lines: string[] = [];
  await playStory(platform.url, (line) => lines.push(line), { events: true });
  const shown = lines.filter((line) => line.startsWith('      · '));
  for (const type of ['user.registered', 'card.issued', 'deposit.approved', 'challenge.approved', 'payment.cleared', 'card.stolen']) {
    expect(
      shown.some((line) => line.includes(` ${type} `)),
      type,
    ).toBe(true);
  }
  expect(lines.at(-2)).toMatch(/^\nEvents\n +\d+ by stream, and the same ones by page\..* none is missing\.$/);
});
