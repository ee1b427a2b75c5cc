import type { Reporter, TestCase, TestModule } from 'vitest/node';

const LONGEST = 2000;

/** The first line, and with which values a property did not hold. */
const shortened = (message = ''): string => {
  const [first = '', ...others] = message.split('\n');
  const values = others.filter((line) => line.startsWith('Counterexample: ') || line.startsWith('{ seed: '));
  return [first, ...values].join(' ').slice(0, LONGEST);
};

/**
 * Ends the output with a line `FAILED file > test: message` for each test that failed, and one line for scripts: `N passed, N failed`.
 * A file that cannot be loaded, a hook, and an error outside of tests that fail count as one failure each. They are printed as well when the run is ended early.
 */
export const createSummaryReporter = (): Reporter => {
  let passed = 0;
  let skipped = 0;
  const failures: string[] = [];
  const addTest = (test: TestCase): void => {
    const { state, errors } = test.result();
    if (state === 'passed') passed += 1;
    else if (state === 'skipped') skipped += 1;
    else failures.push(`${test.module.relativeModuleId} > ${test.fullName}: ${shortened(errors?.[0]?.message)}`);
  };
  const addModule = (module: TestModule): void => {
    // A suite has errors of its own when one of its hooks fails; its tests are skipped then.
    for (const part of [module, ...module.children.allSuites()]) {
      const [error] = part.errors();
      if (error !== undefined) failures.push(`${module.relativeModuleId}: ${shortened(error.message)}`);
    }
  };
  const print = (): void => {
    for (const failure of failures) process.stdout.write(`FAILED ${failure}\n`);
    process.stdout.write(`${passed} passed, ${failures.length} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
  };
  return {
    // At exit, because the default reporter prints its own summary in the same turn.
    onInit: () => void process.once('exit', print),
    onTestCaseResult: addTest,
    onTestModuleEnd: addModule,
    onTestRunEnd: (modules, errors) => {
      for (const error of errors) failures.push(shortened(error.message));
      // Tests that were running, or had not begun, when the run ended.
      const isPending = (test: TestCase): boolean => test.result().state === 'pending';
      for (const module of modules) for (const test of module.children.allTests()) if (isPending(test)) addTest(test);
    },
  };
};
