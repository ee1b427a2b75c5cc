import { defineConfig } from 'vitest/config';
import { createStallReporter } from './test/support/stall-reporter.ts';
import { createSummaryReporter } from './test/support/summary-reporter.ts';

export default defineConfig({
  test: {
    include: ['{services,gateway,deploy,proto,scripts}/**/*.test.{ts,tsx}', 'test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    reporters: ['default', createStallReporter(), createSummaryReporter()],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // What is expected soon may take longer than the default of a second on a machine that is busy.
    expect: { poll: { timeout: 15_000 } },
    // Two cores run the engines as well.
    maxWorkers: 2,
    // Files share the modules of their worker: importing them for each of 150 files would take more time than most tests. So modules
    // must not keep state that a test of another file can observe.
    isolate: false,
  },
});
