import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ProcessSpec } from '../processes/process-spec.ts';

/** Describes a `testing/child.ts` that is ready once it has written its pid to `<directory>/<name>.ready`. */
export const childSpec = (name: string, directory: string, options: Record<string, string> = {}): ProcessSpec => {
  const ready = join(directory, `${name}.ready`);
  const all = { name, ready, stopped: join(directory, 'stopped'), ...options };
  return {
    name,
    tier: 0,
    command: process.execPath,
    args: [fileURLToPath(new URL('./child.ts', import.meta.url)), ...Object.entries(all).map(([key, value]) => `${key}=${value}`)],
    beforeStart: async () => rmSync(ready, { force: true }),
    isReady: async () => existsSync(ready),
  };
};

/** Returns the pid that a child has written to `path`. */
export const writtenPid = (path: string): number => {
  return Number(readFileSync(path, 'utf8'));
};
