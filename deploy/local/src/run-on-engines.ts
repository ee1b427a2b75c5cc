import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from './config.ts';
import { DataDirInUseError } from './data-dir.ts';
import { type EngineAddresses, readEngineAddresses } from './engines/addresses.ts';
import { startEngines } from './engines/start-engines.ts';
import { processEnvironment } from './environment.ts';
import { keyPaths } from './keys.ts';
import { ROOT_DIR, runMain } from './run-main.ts';

type Options = {
  env: NodeJS.ProcessEnv;
  /** The program, below the root. */
  program: string;
  args: readonly string[];
  /** True if the program needs engines for what it is asked. */
  needsEngines: boolean;
  /** More of its environment, by the directory of the platform's data. */
  environment?: (dataDir: string) => NodeJS.ProcessEnv;
};

/** Uses the engines of the running platform, or, if it is not running, engines started on its data for this. */
export const withEngines = async <R>(
  env: NodeJS.ProcessEnv,
  use: (engines: EngineAddresses, dataDir: string) => Promise<R>,
): Promise<R> => {
  const { dataDir } = readConfig(env, ROOT_DIR);
  const report = (line: string): void => void process.stderr.write(`${line}\n`);
  const engines = await startEngines({ dataDir, env, report }).catch((error: unknown) => {
    if (error instanceof DataDirInUseError) return undefined;
    throw error;
  });
  if (engines === undefined) return use(readEngineAddresses(dataDir), dataDir);
  try {
    return await use(engines, dataDir);
  } finally {
    await engines.stop();
  }
};

/** Runs a program as a child. @returns its exit code */
export const runProgram = async (path: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> => {
  const [code] = (await once(spawn(process.execPath, [path, ...args], { env, stdio: 'inherit' }), 'exit')) as [number | null];
  return code ?? 1;
};

/**
 * Runs a service's command-line program. It uses the engines named by `MONGODB_URI` and `REDIS_URL`; if they are not set, those of `withEngines`.
 * @returns its exit code
 */
export const runOnEngines = async ({ env, program, args, needsEngines, environment = () => ({}) }: Options): Promise<number> => {
  const run = (ofProgram: NodeJS.ProcessEnv): Promise<number> => {
    const exited = runProgram(join(ROOT_DIR, program), args, ofProgram);
    // The terminal sends Ctrl-C to the child as well; the engines are stopped after it has exited.
    process.on('SIGINT', () => undefined);
    return exited;
  };
  if (!needsEngines || (env['MONGODB_URI'] && env['REDIS_URL'])) return run(env);
  return withEngines(env, ({ mongodbUri, redisUrl }, dataDir) =>
    run({ ...environment(dataDir), ...env, MONGODB_URI: mongodbUri, REDIS_URL: redisUrl }),
  );
};

type Command = {
  /** The program, below the root. */
  program: string;
  /** Its commands that work on the engines. An unknown command is rejected by the program, which needs no engines for that. */
  commands: readonly string[];
  /** The variable of a key that the program signs with, and where this platform has the key. */
  key?: { variable: string; file: 'ledgerHeadKeyFile' | 'settlementKeyFile' };
};

/** Runs a service's program with the arguments of this process, and exits with its code. It signs with the key of this platform, unless the environment names one or none has been made yet. */
export const runCommand = ({ program, commands, key }: Command): void => {
  const env = processEnvironment();
  const args = process.argv.slice(2);
  const keyOf = (dataDir: string): NodeJS.ProcessEnv => {
    if (key === undefined) return {};
    const { variable, file } = key;
    const path = keyPaths(dataDir)[file];
    const isNamed = env[variable] !== undefined || env[`${variable}_FILE`] !== undefined;
    return isNamed || !existsSync(path) ? {} : { [`${variable}_FILE`]: path };
  };
  runMain(() => runOnEngines({ env, program, args, needsEngines: commands.includes(args[0] ?? ''), environment: keyOf }), process.exit);
};
