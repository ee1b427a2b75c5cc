import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ProcessSpec } from '../processes/supervised-process.ts';

/** A `testing/child.ts` that is ready once it has written its own pid into `<directory>/<name>.ready`. */
export function childSpec(name: string, directory: string, options: Record<string, string> = {}): ProcessSpec {
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
}

/** The pid that a child has written down. */
export function writtenPid(path: string): number {
  return Number(readFileSync(path, 'utf8'));
}
