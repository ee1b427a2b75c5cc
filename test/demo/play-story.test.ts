import { afterAll, beforeAll, expect, it } from 'vitest';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { playStory } from './play-story.ts';

let platform: PlatformInProcess;
beforeAll(async () => {
  platform = await startPlatformInProcess();
});
afterAll(() => platform?.close());

it('plays every step of the story', { timeout: 120_000 }, async () => {
  const lines: string[] = [];
  await playStory(platform.url, (line) => lines.push(line));
  expect(lines.at(-1)).toBe('\nThe demo is complete: all 26 steps had the expected result.');
});
