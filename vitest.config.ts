import { defineConfig } from 'vitest/config';
import { compileCacheDir } from './deploy/local/src/cache-dir.ts';
import { processEnvironment } from './services/kit/rpc/src/config/index.ts';
import { LongestFirst } from './test/support/longest-first.ts';
import { createStallReporter } from './test/support/stall-reporter.ts';
import { createSummaryReporter } from './test/support/summary-reporter.ts';
import { findTestFiles } from './test/support/test-files.ts';

export default defineConfig(({ mode }) => {
  const isProof = mode === 'proof';
  const { onEngines, pure } = findTestFiles(import.meta.dirname, isProof);
  // Stated by each project: what a project extends is evaluated without the mode.
  const provide = { proof: isProof };
  return {
    test: {
      // Inherited by the processes that tests start.
      env: { NODE_COMPILE_CACHE: compileCacheDir(processEnvironment()) },
      projects: [
        { extends: true, test: { name: 'engines', include: onEngines, provide, globalSetup: ['test/support/global-setup.ts'] } },
        { extends: true, test: { name: 'pure', include: pure, provide, pool: 'threads' } },
      ],
      sequence: { sequencer: LongestFirst },
      reporters: ['default', createStallReporter(), createSummaryReporter()],
      testTimeout: 30_000,
      hookTimeout: 60_000,
      // Expectations may take longer than the default of a second on a busy machine.
      expect: { poll: { timeout: 15_000 } },
      // Two cores run the engines as well.
      maxWorkers: 2,
      // Files share the modules of their worker: importing them for each of 500 files would take more time than most tests. So modules
      // must not keep state that a test of another file can observe.
      isolate: false,
    },
  };
});
