import { type Download, downloadedProgram, ensureDownloaded } from './downloaded-program.ts';
import { startMongod } from './mongod.ts';
import type { EngineProvider } from './provider.ts';

const DOWNLOAD: Download = {
  directory: 'mongod',
  script: './download-mongod.ts',
  idleMs: 15_000,
  timeoutMs: 4 * 60_000,
  announcement: 'downloading mongod (about 150 MB, once per machine)',
};

export const downloadedMongodProvider: EngineProvider = {
  name: 'download of mongod',
  available: async ({ cacheDir }) => ({ ok: true, ready: downloadedProgram(cacheDir, DOWNLOAD) !== undefined }),
  start: async (context) => startMongod(context, await ensureDownloaded(context, DOWNLOAD), 'downloaded mongod'),
};
