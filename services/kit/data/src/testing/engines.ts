import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';

declare module 'vitest' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: vitest is extended by declaration merging
  interface ProvidedContext {
    mongodbUri: string;
    redisUrl: string;
  }
}

/** The real engines that the test run started, and a database name of this test file's own. */
export const testEngines = () => ({
  mongodbUri: inject('mongodbUri'),
  redisUrl: inject('redisUrl'),
  database: `test_${randomUUID().replaceAll('-', '').slice(0, 16)}`,
});
