import { findCommand } from '../processes/command-path.ts';
import type { EngineChain } from './chain.ts';
import { type Download, downloadedProgram, ensureDownloaded } from './downloaded-program.ts';
import { startMongod } from './mongod.ts';
import { ferretdbProvider } from './mongodb-ferretdb.ts';
import { mongodbFailure } from './probes.ts';
import type { EngineProvider } from './provider.ts';
import { uriFromEnv } from './uri-from-env.ts';

const pathMongodProvider: EngineProvider = {
  name: 'mongod on the PATH',
  available: async ({ env }) => (findCommand('mongod', env) === undefined ? { ok: false, why: 'not found' } : { ok: true, ready: true }),
  start: async (context) => {
    const program = findCommand('mongod', context.env);
    if (program === undefined) throw new Error('no longer on the PATH');
    return startMongod(context, program, 'mongod');
  },
};

const DOWNLOAD: Download = {
  directory: 'mongod',
  script: './download-mongod.ts',
  idleMs: 15_000,
  timeoutMs: 4 * 60_000,
  announcement: 'downloading mongod (about 150 MB, once per machine)',
};

const downloadedMongodProvider: EngineProvider = {
  name: 'download of mongod',
  available: async ({ cacheDir }) => ({ ok: true, ready: downloadedProgram(cacheDir, DOWNLOAD) !== undefined }),
  start: async (context) => startMongod(context, await ensureDownloaded(context, DOWNLOAD), 'downloaded mongod'),
};

export const mongodbChain: EngineChain = {
  engine: 'MongoDB',
  providers: [
    uriFromEnv('MONGODB_URI', (uri) => mongodbFailure(uri, 5_000)),
    pathMongodProvider,
    downloadedMongodProvider,
    ferretdbProvider,
  ],
  remedy: 'install MongoDB so that `mongod` is on the PATH, and start again.',
};
