import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where what is costly to fetch or build stays, outside the checkout: only the first start of a machine pays for it. */
export function cacheDir(env: NodeJS.ProcessEnv): string {
  const base = env['XDG_CACHE_HOME'];
  const path = join(base !== undefined && base !== '' ? base : join(env['HOME'] ?? homedir(), '.cache'), 'florin');
  mkdirSync(path, { recursive: true, mode: 0o755 });
  return path;
}
