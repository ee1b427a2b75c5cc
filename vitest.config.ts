import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{services,gateway,deploy,proto,scripts}/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    reporters: ['default', './test/support/summary-reporter.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Two cores carry the engines too.
    maxWorkers: 2,
  },
});
