import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Directories of administration programs on Debian; the PATH of a shell opened with `su` does not include them. */
const SYSTEM_DIRECTORIES = ['/usr/sbin', '/sbin'];

/** Returns the absolute path of a program on the PATH, or undefined. */
export const findCommand = (name: string, env: NodeJS.ProcessEnv): string | undefined => {
  const directories = [...(env['PATH'] ?? '').split(delimiter).filter((entry) => entry !== ''), ...SYSTEM_DIRECTORIES];
  for (const directory of directories) {
    const path = join(directory, name);
    if (isExecutable(path)) return path;
  }
  return undefined;
};

export const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
};
