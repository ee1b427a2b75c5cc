import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEngines } from '@florin/local';
import type { TestProject } from 'vitest/node';

/** Starts the real engines once for the whole run, on a directory of their own, and hands their addresses to the tests. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'florin-test-'));
  const engines = await startEngines({
    dataDir,
    env: process.env,
    report: (line) => process.stdout.write(`${line}\n`),
    durable: false,
  });
  project.provide('mongodbUri', engines.mongodbUri);
  project.provide('redisUrl', engines.redisUrl);
  return async () => {
    await engines.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}
