import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Returns the directory for engines that are expensive to download or build, and creates it. It is shared by all checkouts of the user. */
export const cacheDir = (env: NodeJS.ProcessEnv): string => {
  const base = env['XDG_CACHE_HOME'];
  const path = join(base !== undefined && base !== '' ? base : join(env['HOME'] ?? homedir(), '.cache'), 'florin');
  mkdirSync(path, { recursive: true, mode: 0o755 });
  return path;
};
