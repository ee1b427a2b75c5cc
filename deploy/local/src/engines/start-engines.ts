import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDir } from '../cache-dir.ts';
import { enginePorts } from '../config.ts';
import { type DataDir, openDataDir } from '../data-dir.ts';
import { replaceFile } from '../files/atomic-file.ts';
import { prefixed, type Report } from '../report.ts';
import { type ProcessInfo, Supervisor } from '../supervisor.ts';
import { writeEngineAddresses } from './addresses.ts';
import { type EngineChain, startFirstUsable } from './chain.ts';
import { mongodbChain } from './mongodb-chain.ts';
import type { EngineContext, RunningEngine } from './provider.ts';
import { redisChain } from './redis-chain.ts';

export type EnginesOptions = {
  /** Where the engines keep their data; made when missing. */
  dataDir: string;
  report: Report;
  env: NodeJS.ProcessEnv;
  /** False gives up durability for speed: for engines of tests only. Default true. */
  durable?: boolean;
  /** Cancels a start that is under way. */
  signal?: AbortSignal;
};

export type Engines = {
  mongodbUri: string;
  redisUrl: string;
  processes(): ProcessInfo[];
  stop(): Promise<void>;
  /** Ends everything at once, without an orderly stop. */
  kill(): void;
};

/**
 * Brings up MongoDB and Redis on a data directory of their own.
 * @throws DataDirInUseError, NoEngineError; nothing is left running then
 */
export async function startEngines(options: EnginesOptions): Promise<Engines> {
  const dataDir = await openDataDir(options.dataDir, options.report);
  const supervisor = new Supervisor({ runDir: dataDir.runDir, logsDir: dataDir.logsDir, report: options.report });
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
}

/**
 * Brings up both engines, side by side, under a supervisor that the caller owns; on failure the caller stops it. When both
 * fail the error tells of both, so that a person has to try again only once.
 */
export async function startEnginesIn(
  dataDir: DataDir,
  supervisor: Supervisor,
  { env, report, durable = true, signal = new AbortController().signal }: EnginesOptions,
): Promise<{ mongodb: RunningEngine; redis: RunningEngine }> {
  const { mongodbPort, redisPort } = enginePorts(env);
  const shared = { env, dataDir, supervisor, durable, signal, cacheDir: cacheDir(env) };
  const start = async (chain: EngineChain, port: number | undefined): Promise<RunningEngine> => {
    const notePath = join(dataDir.path, `${chain.engine.toLowerCase()}-provider`);
    const context: EngineContext = { ...shared, report: prefixed(report, chain.engine), port };
    const { provider, running } = await startFirstUsable(chain, context, readNote(notePath));
    // A server that is somebody else's wrote nothing here.
    if (provider.explicit !== true) replaceFile(notePath, `${provider.name}\n`);
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
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Who wrote the data that is there; see `startFirstUsable`. */
function readNote(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return undefined;
  }
}
