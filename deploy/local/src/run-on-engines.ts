import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { readConfig } from './config.ts';
import { DataDirInUseError } from './data-dir.ts';
import { readEngineAddresses } from './engines/addresses.ts';
import { startEngines } from './engines/start-engines.ts';

type Options = {
  rootDir: string;
  env: NodeJS.ProcessEnv;
  /** The program, below the root. */
  program: string;
  args: readonly string[];
  /** True if the program needs engines for what it is asked. */
  needsEngines: boolean;
  /** More of its environment, by the directory of the platform's data. */
  environment?: (dataDir: string) => NodeJS.ProcessEnv;
};

/**
 * Runs a service's command-line program. It uses the engines named by `MONGODB_URI` and `REDIS_URL`; if they are not set, the engines of
 * the running platform; if it is not running, engines started on its data for this command.
 * @returns its exit code
 */
export const runOnEngines = async ({ rootDir, env, program, args, needsEngines, environment = () => ({}) }: Options): Promise<number> => {
  const run = async (ofProgram: NodeJS.ProcessEnv): Promise<number> => {
    const child = spawn(process.execPath, [join(rootDir, program), ...args], { env: ofProgram, stdio: 'inherit' });
    // The terminal sends Ctrl-C to the child as well; the engines are stopped after it has exited.
    process.on('SIGINT', () => undefined);
    const [code] = (await once(child, 'exit')) as [number | null];
    return code ?? 1;
  };
  if (!needsEngines || (env['MONGODB_URI'] && env['REDIS_URL'])) return run(env);
  const { dataDir } = readConfig(env, rootDir);
  const on = ({ mongodbUri, redisUrl }: { mongodbUri: string; redisUrl: string }) =>
    run({ ...environment(dataDir), ...env, MONGODB_URI: mongodbUri, REDIS_URL: redisUrl });
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
