import { findCommand } from '../processes/command-path.ts';
import type { EngineProvider } from './provider.ts';
import { startLocalRedis } from './redis-server.ts';

const PROGRAMS = ['redis-server', 'valkey-server'];

export const pathRedisProvider: EngineProvider = {
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
