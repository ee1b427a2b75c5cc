import { findCommand } from '../processes/command-path.ts';
import { type Download, downloadedProgram, ensureDownloaded } from './downloaded-program.ts';
import type { Availability, EngineContext, EngineProvider } from './provider.ts';
import { startLocalRedis } from './redis-server.ts';

const DOWNLOAD: Download = {
  directory: 'redis',
  script: './download-redis.ts',
  // While it compiles, object files keep growing the directory.
  idleMs: 30_000,
  timeoutMs: 5 * 60_000,
  announce: 'downloading and compiling Redis (once per machine, 1 to 2 minutes)',
};

export const downloadedRedisProvider: EngineProvider = {
  name: 'download of Redis',
  available: async (context) => availability(context),
  start: async (context) => startLocalRedis(context, await ensureDownloaded(context, DOWNLOAD), 'downloaded Redis'),
};

function availability({ cacheDir, env }: EngineContext): Availability {
  if (downloadedProgram(cacheDir, DOWNLOAD) !== undefined) return { ok: true, ready: true };
  for (const tool of ['make', 'cc']) {
    if (findCommand(tool, env) === undefined) return { ok: false, why: `needs ${tool} to compile it, which is not on the PATH` };
  }
  return { ok: true, ready: false };
}
