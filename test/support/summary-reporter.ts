import type { Reporter, TestModule } from 'vitest/node';

/** Ends the output with one line for scripts: `N passed, N failed`. A file that cannot be loaded counts as failed. */
export const createSummaryReporter = (): Reporter => ({
  onTestRunEnd: (modules: readonly TestModule[], errors: readonly unknown[]): void => {
    let passed = 0;
    let failed = errors.length;
    let skipped = 0;
    for (const module of modules) {
      if (module.errors().length > 0) failed += 1;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === 'passed') passed += 1;
        else if (state === 'skipped') skipped += 1;
        else failed += 1;
      }
    }
    const line = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
    // At exit, because the default reporter prints its own summary in the same turn.
    process.once('exit', () => process.stdout.write(`${line}\n`));
  },
});
