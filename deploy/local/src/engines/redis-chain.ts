import type { EngineChain } from './chain.ts';
import { redisUrlFailure } from './probes.ts';
import { downloadedRedisProvider } from './redis-download.ts';
import { packageRootRedisProvider } from './redis-package-root.ts';
import { pathRedisProvider } from './redis-path.ts';
import { uriFromEnv } from './uri-from-env.ts';

export const redisChain: EngineChain = {
  engine: 'Redis',
  providers: [uriFromEnv('REDIS_URL', redisUrlFailure), pathRedisProvider, packageRootRedisProvider, downloadedRedisProvider],
  remedy: 'install Redis so that `redis-server` is on the PATH, and start again.',
};
