import { reasonOf } from '../report.ts';
import type { EngineProvider } from './provider.ts';

/** A server that the user runs and names in an environment variable. The launcher neither starts, stops nor replaces it. */
export const uriFromEnv = (variable: string, failureOf: (uri: string) => Promise<unknown>): EngineProvider => {
  return {
    name: variable,
    explicit: true,
    available: async ({ env }) => ((env[variable] ?? '') === '' ? { ok: false, why: 'not set' } : { ok: true, ready: true }),
    start: async ({ env }) => {
      const uri = env[variable] ?? '';
      const error = await failureOf(uri);
      // The driver's message may contain the address with its password.
      if (error !== undefined) throw new Error(`is set, but the server cannot be used (${withoutUserInfo(reasonOf(error))})`);
      return { uri, description: `using ${variable}`, pids: () => [], stop: async () => undefined };
    },
  };
};

const withoutUserInfo = (text: string): string => {
  return text.replace(/\/\/[^@/\s]*@/g, '//');
};
