import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openStore } from '@florin/data/store';
import { testEngines } from '@florin/data/testing';
import { type Environment, processEnvironment } from '@florin/rpc/config';
import { quietLogger } from '@florin/rpc/testing';
import { ROOT } from './settings.ts';

const run = promisify(execFile);

/** Runs a command of the ledger on one of its databases. @returns what it prints */
export const ledgerCommand = async (headKey: Environment, database: string, ...args: string[]): Promise<string> => {
  const { mongodbUri, redisUrl } = testEngines();
  const { PATH, NODE_COMPILE_CACHE } = processEnvironment();
  const environment: Environment = {
    PATH,
    NODE_COMPILE_CACHE,
    MONGODB_URI: mongodbUri,
    MONGODB_DATABASE: database,
    REDIS_URL: redisUrl,
    ...headKey,
  };
  const { stdout } = await run(process.execPath, [join(ROOT, 'services/ledger/src/cli/main.ts'), ...args], {
    env: Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined)),
    timeout: 60_000,
  });
  return stdout;
};

/** Copies a database that nothing writes to: a consistent snapshot, restored under another name. */
export const copyDatabase = async (from: string, to: string): Promise<void> => {
  const open = (database: string) => openStore({ uri: testEngines().mongodbUri, database, poolSize: 2, logger: quietLogger });
  const [source, target] = await Promise.all([open(from), open(to)]);
  for (const { name } of await source.connection.listCollections()) {
    const documents = await source.connection.collection(name).find().toArray();
    if (documents.length > 0) await target.connection.collection(name).insertMany(documents);
  }
  await Promise.all([source.close(), target.close()]);
};
