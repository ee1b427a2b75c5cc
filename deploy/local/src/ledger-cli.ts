import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readConfig } from './config.ts';
import { DataDirInUseError } from './data-dir.ts';
import { readEngineAddresses } from './engines/addresses.ts';
import { startEngines } from './engines/start-engines.ts';
import { processEnvironment } from './environment.ts';
import { reasonOf } from './report.ts';

const COMMANDS = ['verify', 'rebuild'];

const rootDir = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');

/** Runs the ledger's command-line program on the engines in `env` and resolves with its exit code. */
const run = async (env: NodeJS.ProcessEnv): Promise<number> => {
  const args = [join(rootDir, 'services/ledger/src/cli/main.ts'), ...process.argv.slice(2)];
  const child = spawn(process.execPath, args, { env, stdio: 'inherit' });
  // The terminal sends Ctrl-C to the child as well; the engines are stopped after it has exited.
  process.on('SIGINT', () => undefined);
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
};

/**
 * `npm run ledger -- verify | rebuild`. Uses the engines named by `MONGODB_URI` and `REDIS_URL`; if they are not set, the engines of
 * the running platform; if it is not running, engines started on its data for this command.
 */
const main = async (): Promise<number> => {
  const env = processEnvironment();
  // An unknown command is rejected by the ledger's program; that needs no engines.
  const isKnown = COMMANDS.includes(process.argv[2] ?? '');
  if (!isKnown || (env['MONGODB_URI'] && env['REDIS_URL'])) return run(env);
  const { dataDir } = readConfig(env, rootDir);
  const on = ({ mongodbUri, redisUrl }: { mongodbUri: string; redisUrl: string }) =>
    run({ ...env, MONGODB_URI: mongodbUri, REDIS_URL: redisUrl });
  const report = (line: string): void => void process.stderr.write(`${line}\n`);
  const engines = await startEngines({ dataDir, env, report }).catch((error: unknown) => {
    if (error instanceof DataDirInUseError) return undefined;
    throw error;
  });
  if (engines === undefined) return on(readEngineAddresses(dataDir));
  try {
    return await on(engines);
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
