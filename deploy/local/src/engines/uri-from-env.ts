import { reasonOf } from '../report.ts';
import type { EngineProvider } from './provider.ts';

/** A server that the user runs and names in the environment: never started or stopped by us, and never replaced. */
export function uriFromEnv(variable: string, failure: (uri: string) => Promise<unknown>): EngineProvider {
  return {
    name: variable,
    explicit: true,
    available: async ({ env }) => ((env[variable] ?? '') === '' ? { ok: false, why: 'is not set' } : { ok: true, ready: true }),
    start: async ({ env }) => {
      const uri = env[variable] ?? '';
      const error = await failure(uri);
      // The driver's message may hold the address with its password: only its own kind is shown.
      if (error !== undefined) throw new Error(`is set, but nothing usable answers there (${withoutUserInfo(reasonOf(error))})`);
      return { uri, describe: `using ${variable}`, pids: () => [], stop: async () => undefined };
    },
  };
}

function withoutUserInfo(text: string): string {
  return text.replace(/\/\/[^@/\s]*@/g, '//');
}
