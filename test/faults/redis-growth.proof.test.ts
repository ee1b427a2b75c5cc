import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testEngines } from '@florin/data/testing';
import { type Engines, startEngines } from '@florin/local';
import { processEnvironment } from '@florin/rpc/config';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { DEFAULT_LIMITS, type Footprint, growRedis, judgeGrowth } from './redis-growth.ts';

/** The short form of `npm run faults -- redis`: a platform with a Redis of its own, so that nothing else changes its memory. */
let dataDir: string;
let engines: Engines;
let platform: PlatformInProcess;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'florin-redis-'));
  const { REDIS_URL: _redis, ...env } = processEnvironment();
  const { mongodbUri } = testEngines();
  engines = await startEngines({ dataDir, env: { ...env, MONGODB_URI: mongodbUri }, report: () => undefined, durable: false });
  platform = await startPlatformInProcess({ ...DEFAULT_LIMITS, REDIS_URL: engines.redisUrl });
}, 120_000);
afterAll(async () => {
  await platform?.close();
  await engines?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

describe('a flood of fresh wallets and made-up values from one address', () => {
  it('leaves the memory of Redis as it is, beyond what expires', async () => {
    const addresses = { gatewayUrl: platform.url, redisUrl: engines.redisUrl };
    const { problems, signedIn } = await growRedis(addresses, { wallets: 800, report: () => undefined });
    expect(problems).toEqual([]);
    expect(signedIn).toBeGreaterThan(0);
  }, 240_000);
});

describe('the comparison of footprints', () => {
  const before: Footprint = { usedBytes: 2_000_000, expiringBytes: 100_000, expiringKeys: 100, lasting: ['a'], longestTtlMs: 1000 };
  it.each<[string, Partial<Footprint>, number]>([
    ['nothing', {}, 0],
    ['4 % more memory', { usedBytes: 2_076_000 }, 0],
    ['keys that expire', { usedBytes: 3_000_000, expiringBytes: 1_100_000, expiringKeys: 1000 }, 0],
    ['6 % more memory', { usedBytes: 2_120_000 }, 1],
    ['more keys than the sign-ins of two minutes leave', { expiringKeys: 2100 }, 1],
    ['a key that does not expire', { lasting: ['a', 'b'] }, 1],
    ['a key that lives longer than a day', { longestTtlMs: 90_000_000 }, 1],
  ])('with %s', (_what, change, problems) => {
    expect(judgeGrowth(before, { ...before, ...change }, 1)).toHaveLength(problems);
  });
});
