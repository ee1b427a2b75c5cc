import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDir } from '../cache-dir.ts';
import { enginePorts } from '../config.ts';
import { type DataDir, openDataDir } from '../data-dir.ts';
import { prefixed, type Report } from '../report.ts';
import { type ProcessInfo, Supervisor } from '../supervisor.ts';
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

/** Brings up both engines under a supervisor that the caller owns; on failure the caller stops it. */
export async function startEnginesIn(
  dataDir: DataDir,
  supervisor: Supervisor,
  { env, report, durable = true, signal }: EnginesOptions,
): Promise<{ mongodb: RunningEngine; redis: RunningEngine }> {
  const failed = new AbortController();
  const context: Omit<EngineContext, 'report' | 'port'> = {
    env,
    dataDir,
    supervisor,
    durable,
    cacheDir: cacheDir(env),
    signal: signal === undefined ? failed.signal : AbortSignal.any([signal, failed.signal]),
  };
  const { mongodbPort, redisPort } = enginePorts(env);
  const start = async (chain: EngineChain, port: number | undefined): Promise<RunningEngine> => {
    try {
      const notePath = join(dataDir.path, `${chain.engine.toLowerCase()}-provider`);
      const engineContext = { ...context, report: prefixed(report, chain.engine), port };
      const { provider, running } = await startFirstUsable(chain, engineContext, readNote(notePath));
      writeNote(notePath, provider);
      return running;
    } catch (error) {
      failed.abort(error);
      throw error;
    }
  };
  const results = await Promise.allSettled([start(mongodbChain, mongodbPort), start(redisChain, redisPort)]);
  const [mongodb, redis] = results;
  if (mongodb.status === 'fulfilled' && redis.status === 'fulfilled') return { mongodb: mongodb.value, redis: redis.value };
  // The first failure is the cause; the other one was only cancelled.
  throw failed.signal.reason;
}

/** Who wrote the data that is there; see `startFirstUsable`. */
function readNote(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return undefined;
  }
}

function writeNote(path: string, provider: string): void {
  writeFileSync(`${path}.new`, `${provider}\n`);
  renameSync(`${path}.new`, path);
}
