import { findCommand } from '../processes/command-path.ts';
import { type Download, downloadedProgram, ensureDownloaded } from './downloaded-program.ts';
import type { Availability, EngineContext, EngineProvider } from './provider.ts';
import { startLocalRedis } from './redis-server.ts';

const DOWNLOAD: Download = {
  directory: 'redis',
  script: './download-redis.ts',
  // Compiling counts as activity too: it adds object files to the directory.
  idleMs: 30_000,
  timeoutMs: 5 * 60_000,
  announcement: 'downloading and compiling Redis (1 to 2 minutes, once per machine)',
};

export const downloadedRedisProvider: EngineProvider = {
  name: 'download of Redis',
  available: async (context) => availability(context),
  start: async (context) => startLocalRedis(context, await ensureDownloaded(context, DOWNLOAD), 'downloaded Redis'),
};

const availability = ({ cacheDir, env }: EngineContext): Availability => {
  if (downloadedProgram(cacheDir, DOWNLOAD) !== undefined) return { ok: true, ready: true };
  for (const tool of ['make', 'cc']) {
    if (findCommand(tool, env) === undefined) return { ok: false, why: `requires ${tool}, which is not on the PATH` };
  }
  return { ok: true, ready: false };
};
