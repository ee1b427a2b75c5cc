import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { LockHeldError, takeLock } from './files/lock-file.ts';
import { sweepLeftovers } from './processes/sweep.ts';
import type { Report } from './report.ts';

/** The directory that holds all data, logs and run state of one platform or one set of engines. */
export type DataDir = {
  path: string;
  runDir: string;
  logsDir: string;
  keysDir: string;
  /** Returns the data directory of an engine, for example `engine('postgres')`. */
  engine: (name: string) => string;
  /** Gives up the lock. */
  release: () => void;
};

/** Raised when another live process uses the data directory. */
export class DataDirInUseError extends Error {
  constructor(path: string, pid: number) {
    super(`The data directory ${path} is in use by process ${pid}. Stop that process, or use another directory (FLORIN_DATA_DIR).`);
    this.name = 'DataDirInUseError';
  }
}

/**
 * Creates and locks the data directory, and stops processes that a killed launcher left running on it.
 * @throws DataDirInUseError
 */
export const openDataDir = async (dataDir: string, report: Report): Promise<DataDir> => {
  const path = resolve(dataDir);
  const runDir = join(path, 'run');
  const logsDir = join(path, 'logs');
  for (const directory of [path, runDir, logsDir]) mkdirSync(directory, { recursive: true, mode: 0o755 });
  const lock = lockDataDir(path, join(runDir, 'launcher.lock'));
  try {
    await sweepLeftovers(runDir, report);
  } catch (error) {
    lock.release();
    throw error;
  }
  return {
    path,
    runDir,
    logsDir,
    keysDir: join(path, 'keys'),
    engine: (name) => join(path, name),
    release: () => lock.release(),
  };
};

const lockDataDir = (path: string, lockPath: string): ReturnType<typeof takeLock> => {
  try {
    return takeLock(lockPath);
  } catch (error) {
    throw error instanceof LockHeldError ? new DataDirInUseError(path, error.pid) : error;
  }
};
