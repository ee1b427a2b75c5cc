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

/**
 * Returns the directory in which Node keeps compiled modules (`NODE_COMPILE_CACHE`). It shortens the start of a service by up to 40 %.
 * Entries are keyed by content and version of Node, so they never become stale.
 */
export const compileCacheDir = (env: NodeJS.ProcessEnv): string => env['NODE_COMPILE_CACHE'] || join(cacheDir(env), 'compile-cache');
