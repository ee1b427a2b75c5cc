import { defineConfig } from 'vitest/config';

/** The tests of this folder against a deployed platform (`PLATFORM_URL`), without engines of their own. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['*.test.ts'],
    reporters: ['default'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 1,
    isolate: false,
  },
});
