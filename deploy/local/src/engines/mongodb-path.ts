import { findCommand } from '../processes/command-path.ts';
import { startMongod } from './mongod.ts';
import type { EngineProvider } from './provider.ts';

export const pathMongodProvider: EngineProvider = {
  name: 'mongod on the PATH',
  available: async ({ env }) => (findCommand('mongod', env) === undefined ? { ok: false, why: 'not found' } : { ok: true, ready: true }),
  start: async (context) => {
    const program = findCommand('mongod', context.env);
    if (program === undefined) throw new Error('no longer on the PATH');
    return startMongod(context, program, 'mongod');
  },
};
