import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';

declare module 'vitest' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: vitest is extended by declaration merging
  interface ProvidedContext {
    mongodbUri: string;
    redisUrl: string;
  }
}

/** Returns the addresses of the engines of this test run, and a new database name. */
export const testEngines = () => ({
  mongodbUri: inject('mongodbUri'),
  redisUrl: inject('redisUrl'),
  database: `test_${randomUUID().replaceAll('-', '').slice(0, 16)}`,
});
