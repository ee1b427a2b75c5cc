import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildApp } from '@florin/app/build';
import { buildBackOffice } from '@florin/back-office-pages/build';
import { prepareEvm, startEngines } from '@florin/local';
import { processEnvironment } from '@florin/rpc/config';
import type { TestProject } from 'vitest/node';

const report = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** Starts the engines once for the whole run on a temporary directory, provides their addresses to the tests, prepares the EVM, and builds the pages. */
const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const env = processEnvironment();
  const dataDir = await mkdtemp(join(tmpdir(), 'florin-test-'));
  await Promise.all([buildApp(report), buildBackOffice(report)]);
  const engines = await startEngines({ dataDir, env, report, durable: false });
  project.provide('mongodbUri', engines.mongodbUri);
  project.provide('redisUrl', engines.redisUrl);
  project.provide('evm', await prepareEvm(env, report));
  return async () => {
    await engines.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
};

export default setup;
