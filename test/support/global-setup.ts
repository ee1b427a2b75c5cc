import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEngines } from '@florin/local';
import type { TestProject } from 'vitest/node';
import { prepareEvm } from './prepare-evm.ts';

const report = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** Starts the engines once for the whole run on a temporary directory, provides their addresses to the tests, and prepares the EVM. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'florin-test-'));
  const engines = await startEngines({
    dataDir,
    env: process.env,
    report,
    durable: false,
  });
  project.provide('mongodbUri', engines.mongodbUri);
  project.provide('redisUrl', engines.redisUrl);
  project.provide('evm', await prepareEvm(process.env, report));
  return async () => {
    await engines.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}
