import { inPackageRoot, insideRoot, ownByRootUser } from './in-package-root.ts';
import { ensurePackageRoot, packageRootAvailability } from './package-root.ts';
import type { EngineProvider } from './provider.ts';
import { startRedisServer } from './redis-server.ts';

export const packageRootRedisProvider: EngineProvider = {
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
