import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { LockHeldError, takeLock } from './files/lock-file.ts';
import { sweepLeftovers } from './processes/sweep.ts';
import type { Report } from './report.ts';

/** Everything that one platform (or one set of engines) keeps: nothing of it is written anywhere else. */
export type DataDir = {
  path: string;
  runDir: string;
  logsDir: string;
  keysDir: string;
  /** Where an engine keeps its data, for example `engine('postgres')`. */
  engine(name: string): string;
  release(): void;
};

/** Raised when a live process uses the data directory already. */
export class DataDirInUseError extends Error {
  constructor(path: string, pid: number) {
    super(`The data directory ${path} is in use by process ${pid}: stop that one first, or choose another directory.`);
    this.name = 'DataDirInUseError';
  }
}

/**
 * Takes the data directory for this process and ends what a killed predecessor left running on it.
 * @throws DataDirInUseError
 */
export async function openDataDir(dataDir: string, report: Report): Promise<DataDir> {
  const path = resolve(dataDir);
  const runDir = join(path, 'run');
  const logsDir = join(path, 'logs');
  for (const directory of [path, runDir, logsDir]) mkdirSync(directory, { recursive: true, mode: 0o755 });
  const lock = lockOrExplain(path, join(runDir, 'launcher.lock'));
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
}

function lockOrExplain(path: string, lockPath: string): ReturnType<typeof takeLock> {
  try {
    return takeLock(lockPath);
  } catch (error) {
    throw error instanceof LockHeldError ? new DataDirInUseError(path, error.pid) : error;
  }
}
