import type { EngineChain } from './chain.ts';
import { downloadedMongodProvider } from './mongodb-download.ts';
import { ferretdbProvider } from './mongodb-ferretdb.ts';
import { pathMongodProvider } from './mongodb-path.ts';
import { mongodbFailure } from './probes.ts';
import { uriFromEnv } from './uri-from-env.ts';

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
