import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Platform, startPlatform } from '@florin/local';
import { benchEnvironment, ROOT } from '../support/settings.ts';

/**
 * Runs a measurement on a new platform with its own data directory and removes both afterwards.
 * @param more variables of the platform, besides those of every benchmark
 */
export const onPlatform = async <T>(
  report: (line: string) => void,
  measure: (platform: Platform) => Promise<T>,
  more: NodeJS.ProcessEnv = {},
): Promise<T> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'florin-bench-'));
  try {
    const platform = await startPlatform({ rootDir: ROOT, dataDir, env: { ...benchEnvironment(), ...more }, report });
    try {
      return await measure(platform);
    } finally {
      await platform.stop();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
};

/** Returns the pid of one of the platform's processes. @throws Error if it is not running */
export const pidOf = (platform: Platform, name: string): number => {
  const pid = platform.processes().find((process) => process.name === name)?.pid;
  if (pid === undefined) throw new Error(`${name} is not running`);
  return pid;
};
