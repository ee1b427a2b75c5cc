import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PROCESS_NAMES, readConfig } from './config.ts';
import { DataDirInUseError } from './data-dir.ts';
import { readEngineAddresses } from './engines/addresses.ts';
import { startEngines } from './engines/start-engines.ts';
import { processEnvironment } from './environment.ts';
import { reasonOf } from './report.ts';

const rootDir = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');

/** Runs the migrations of every service that has a database of its own, one after the other. @returns the first exit code that is not 0 */
const run = async (env: NodeJS.ProcessEnv): Promise<number> => {
  for (const service of PROCESS_NAMES.filter((name) => name !== 'gateway' && name !== 'webhooks')) {
    const args = [join(rootDir, service === 'back-office' ? 'gateway' : 'services', service, 'src/migrate.ts'), ...process.argv.slice(2)];
    const [code] = (await once(spawn(process.execPath, args, { env, stdio: 'inherit' }), 'exit')) as [number | null];
    if (code !== 0) return code ?? 1;
  }
  return 0;
};

/**
 * `npm run migrate`. Uses the MongoDB named by `MONGODB_URI`; if it is not set, that of the running platform; if it is not running, one started on
 * its data for this command.
 */
const main = async (): Promise<number> => {
  const env = processEnvironment();
  if (env['MONGODB_URI']) return run(env);
  const { dataDir } = readConfig(env, rootDir);
  const report = (line: string): void => void process.stderr.write(`${line}\n`);
  const engines = await startEngines({ dataDir, env, report }).catch((error: unknown) => {
    if (error instanceof DataDirInUseError) return undefined;
    throw error;
  });
  if (engines === undefined) return run({ ...env, MONGODB_URI: readEngineAddresses(dataDir).mongodbUri });
  try {
    return await run({ ...env, MONGODB_URI: engines.mongodbUri });
  } finally {
    await engines.stop();
  }
};

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${reasonOf(error)}\n`);
    process.exit(1);
  },
);
