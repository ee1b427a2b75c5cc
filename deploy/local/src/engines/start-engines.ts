import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDir } from '../cache-dir.ts';
import { enginePorts } from '../config.ts';
import { type DataDir, openDataDir } from '../data-dir.ts';
import { replaceFile } from '../files/atomic-file.ts';
import type { RedisPasswords } from '../redis-users.ts';
import { prefixed, type Report } from '../report.ts';
import { createSupervisor, type ProcessInfo, type Supervisor } from '../supervisor.ts';
import { writeEngineAddresses } from './addresses.ts';
import { type EngineChain, startFirstUsable } from './chain.ts';
import { mongodbChain } from './mongodb-chain.ts';
import type { EngineContext, RunningEngine } from './provider.ts';
import { redisChain } from './redis-chain.ts';

export type EnginesOptions = {
  /** Where the engines keep their data; created if missing. */
  dataDir: string;
  report: Report;
  env: NodeJS.ProcessEnv;
  /** False trades durability for speed; for tests only. Default true. */
  durable?: boolean;
  /** Users of a Redis that is started. Without them it has no passwords. */
  redisPasswords?: RedisPasswords;
  /** Cancels the start. */
  signal?: AbortSignal;
};

export type Engines = {
  mongodbUri: string;
  redisUrl: string;
  processes: () => ProcessInfo[];
  stop: () => Promise<void>;
  /** Kills both engines immediately. */
  kill: () => void;
};

/**
 * Starts MongoDB and Redis on a data directory.
 * @throws DataDirInUseError, NoEngineError, with nothing left running
 */
export const startEngines = async (options: EnginesOptions): Promise<Engines> => {
  const dataDir = await openDataDir(options.dataDir, options.report);
  const supervisor = createSupervisor({ runDir: dataDir.runDir, logsDir: dataDir.logsDir, report: options.report });
  const stop = async (): Promise<void> => {
    await supervisor.stop();
    dataDir.release();
  };
  try {
    const { mongodb, redis } = await startEnginesIn(dataDir, supervisor, options);
    return {
      mongodbUri: mongodb.uri,
      redisUrl: redis.uri,
      processes: () => supervisor.processes(),
      stop,
      kill: () => supervisor.kill(),
    };
  } catch (error) {
    await stop();
    throw error;
  }
};

/**
 * Starts both engines concurrently under the caller's supervisor, which the caller stops on failure. If both engines fail, the error
 * describes both, so that the user can fix them at once.
 */
export const startEnginesIn = async (
  dataDir: DataDir,
  supervisor: Supervisor,
  { env, report, durable = true, redisPasswords, signal = new AbortController().signal }: EnginesOptions,
): Promise<{ mongodb: RunningEngine; redis: RunningEngine }> => {
  const { mongodbPort, redisPort } = enginePorts(env);
  const shared = { env, dataDir, supervisor, durable, redisPasswords, signal, cacheDir: cacheDir(env) };
  const start = async (chain: EngineChain, port: number | undefined): Promise<RunningEngine> => {
    const providerFile = join(dataDir.path, `${chain.engine.toLowerCase()}-provider`);
    const context: EngineContext = { ...shared, report: prefixed(report, chain.engine), port };
    const { provider, running } = await startFirstUsable(chain, context, readProvider(providerFile));
    // A server that the user runs has not written to this data directory.
    if (provider.explicit !== true) replaceFile(providerFile, `${provider.name}\n`);
    return running;
  };
  const [mongodb, redis] = await Promise.allSettled([start(mongodbChain, mongodbPort), start(redisChain, redisPort)]);
  signal.throwIfAborted();
  if (mongodb.status === 'rejected' && redis.status === 'rejected') {
    throw new Error(`${messageOf(mongodb.reason)}\n\n${messageOf(redis.reason)}`, { cause: mongodb.reason });
  }
  if (mongodb.status === 'rejected') throw mongodb.reason;
  if (redis.status === 'rejected') throw redis.reason;
  const running = { mongodb: mongodb.value, redis: redis.value };
  writeEngineAddresses(dataDir, { mongodbUri: running.mongodb.uri, redisUrl: running.redis.uri });
  return running;
};

const messageOf = (error: unknown): string => {
  return error instanceof Error ? error.message : String(error);
};

/** Returns the name of the provider that wrote the existing data; see `startFirstUsable`. */
const readProvider = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return undefined;
  }
};
