import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Directories where Debian keeps what root needs; a root shell opened with `su` lacks them. */
const SYSTEM_DIRECTORIES = ['/usr/sbin', '/sbin'];

/** The absolute path of a program on the PATH, or undefined. */
export function findCommand(name: string, env: NodeJS.ProcessEnv): string | undefined {
  const directories = [...(env['PATH'] ?? '').split(delimiter).filter((entry) => entry !== ''), ...SYSTEM_DIRECTORIES];
  for (const directory of directories) {
    const path = join(directory, name);
    if (isExecutable(path)) return path;
  }
  return undefined;
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
