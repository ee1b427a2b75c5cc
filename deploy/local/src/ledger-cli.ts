import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readConfig } from './config.ts';
import { DataDirInUseError } from './data-dir.ts';
import { readEngineAddresses } from './engines/addresses.ts';
import { startEngines } from './engines/start-engines.ts';
import { processEnvironment } from './environment.ts';
import { keyPaths } from './keys.ts';
import { reasonOf } from './report.ts';

/** Commands that work on the engines. */
const COMMANDS = ['verify', 'rebuild', 'snapshot', 'prove', 'export', 'import', 'archive'];

const rootDir = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');

/** The key that signs heads on this platform, unless the environment names one or none was made yet. */
function headKeyOf(env: NodeJS.ProcessEnv, dataDir: string): NodeJS.ProcessEnv {
  const { ledgerHeadKeyFile } = keyPaths(dataDir);
  const isNamed = env['LEDGER_HEAD_KEY'] !== undefined || env['LEDGER_HEAD_KEY_FILE'] !== undefined;
  return isNamed || !existsSync(ledgerHeadKeyFile) ? {} : { LEDGER_HEAD_KEY_FILE: ledgerHeadKeyFile };
}

/** Runs the ledger's own command on these engines, answers its exit code. */
async function run(env: NodeJS.ProcessEnv): Promise<number> {
  const args = [join(rootDir, 'services/ledger/src/cli/main.ts'), ...process.argv.slice(2)];
  const child = spawn(process.execPath, args, { env, stdio: 'inherit' });
  // Ctrl-C reaches the child by itself; the engines are stopped after it.
  process.on('SIGINT', () => undefined);
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}

/**
 * `npm run ledger -- <command>`: on the engines of the environment (`MONGODB_URI`, `REDIS_URL`), else on those of the running
 * platform, else on engines that are started for it on the same data.
 */
async function main(): Promise<number> {
  const env = processEnvironment();
  // What is not understood needs no engines to be refused.
  const understood = COMMANDS.includes(process.argv[2] ?? '');
  if (!understood || (env['MONGODB_URI'] && env['REDIS_URL'])) return run(env);
  const { dataDir } = readConfig(env, rootDir);
  const on = ({ mongodbUri, redisUrl }: { mongodbUri: string; redisUrl: string }) =>
    run({ ...headKeyOf(env, dataDir), ...env, MONGODB_URI: mongodbUri, REDIS_URL: redisUrl });
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
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${reasonOf(error)}\n`);
    process.exit(1);
  },
);
