import type { Platform } from '@florin/local';
import { describe, expect, it } from 'vitest';
import { playStory } from '../demo/play-story.ts';
import { troubleDemo } from './kill-while-demo-loops.ts';

/** The database, of those that a machine may have, and processes that a request passes. */
const victimsOf = (platform: Platform): string[] => {
  const names = platform.processes().map(({ name }) => name);
  const database = names.find((name) => name === 'postgres' || name === 'mongod') ?? expect.fail('there is no database');
  return [database, 'events', 'ledger', 'redis', 'card', 'gateway'];
};

/** The short form of `npm run faults -- demo`. */
describe('a platform of real processes', () => {
  it('plays the demo, and loses and duplicates nothing while engines and services are killed with SIGKILL', async () => {
    const lines: string[] = [];
    let victims: string[] = [];
    const options = { victims: victimsOf, people: 2, report: () => undefined };
    const { problems, lives, kills } = await troubleDemo(options, async (platform) => {
      victims = victimsOf(platform);
      await playStory(platform.urls.gateway, (line) => lines.push(line));
    });
    expect(lines.at(-1)).toBe('\nThe demo is complete: all 26 steps had the expected result.');
    expect(problems).toEqual([]);
    expect(kills).toEqual(Object.fromEntries(victims.map((name) => [name, 1])));
    expect(lives).toBeGreaterThan(0);
  }, 700_000);
});
