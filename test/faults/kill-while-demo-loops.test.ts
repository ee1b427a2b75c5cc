import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Platform, startPlatform } from '@florin/local';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { playStory } from '../demo/play-story.ts';
import { benchEnvironment, ROOT } from '../support/settings.ts';
import { killWhileDemoLoops } from './kill-while-demo-loops.ts';

/** The short form of `npm run faults -- demo`: a platform with its own processes and engines. */
let dataDir: string;
let platform: Platform;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'florin-faults-'));
  // Not the engines of the test run, because they are killed.
  const { MONGODB_URI: _mongodb, REDIS_URL: _redis, ...env } = benchEnvironment();
  platform = await startPlatform({ rootDir: ROOT, dataDir, env, report: () => undefined });
}, 400_000);
afterAll(async () => {
  await platform?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

describe('a platform of real processes', () => {
  it('plays the demo', async () => {
    const lines: string[] = [];
    await playStory(platform.urls.gateway, (line) => lines.push(line));
    expect(lines.at(-1)).toBe('\nThe demo is complete: all 26 steps had the expected result.');
  }, 60_000);

  it('loses and duplicates nothing while engines and services are killed with SIGKILL', async () => {
    const names = platform.processes().map(({ name }) => name);
    const database = names.find((name) => name === 'postgres' || name === 'mongod') ?? expect.fail('there is no database');
    const victims = [database, 'ledger', 'redis', 'gateway'];
    const { problems, lives, kills } = await killWhileDemoLoops(platform, { victims, people: 2, report: () => undefined });
    expect(problems).toEqual([]);
    expect(kills).toEqual(Object.fromEntries(victims.map((name) => [name, 1])));
    expect(lives).toBeGreaterThan(0);
  }, 300_000);
});
