import { findCommand } from '../processes/command-path.ts';
import type { EngineChain } from './chain.ts';
import { inPackageRoot, insideRoot, ownByRootUser } from './in-package-root.ts';
import { ensurePackageRoot, packageRootAvailability } from './package-root.ts';
import { redisUrlFailure } from './probes.ts';
import type { EngineProvider } from './provider.ts';
import { downloadedRedisProvider } from './redis-download.ts';
import { startLocalRedis, startRedisServer } from './redis-server.ts';
import { uriFromEnv } from './uri-from-env.ts';

const PROGRAMS = ['redis-server', 'valkey-server'];

const pathRedisProvider: EngineProvider = {
  name: 'redis-server or valkey-server on the PATH',
  available: async ({ env }) => (find(env) === undefined ? { ok: false, why: 'not found' } : { ok: true, ready: true }),
  start: async (context) => {
    const program = find(context.env);
    if (program === undefined) throw new Error('no longer on the PATH');
    return startLocalRedis(context, program, program.split('/').at(-1) ?? program);
  },
};

const find = (env: NodeJS.ProcessEnv): string | undefined => {
  return PROGRAMS.map((name) => findCommand(name, env)).find((path) => path !== undefined);
};

const packageRootRedisProvider: EngineProvider = {
  name: 'redis-server from Debian packages',
  available: packageRootAvailability,
  start: async (context) => {
    const root = await ensurePackageRoot(context);
    const from = context.dataDir.engine('redis');
    await ownByRootUser(root, 'redis', from);
    return startRedisServer(context, {
      label: 'Redis',
      directory: insideRoot('data'),
      wrap: (args) => inPackageRoot({ root, user: 'redis', binds: [{ from, to: 'data' }], command: '/usr/bin/redis-server', args }),
    });
  },
};

export const redisChain: EngineChain = {
  engine: 'Redis',
  providers: [uriFromEnv('REDIS_URL', redisUrlFailure), pathRedisProvider, packageRootRedisProvider, downloadedRedisProvider],
  remedy: 'install Redis so that `redis-server` is on the PATH, and start again.',
};
