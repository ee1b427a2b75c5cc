import { execFile } from 'node:child_process';
import type { Reporter, TestModule, Vitest } from 'vitest/node';

/** More than the longest timeout of a single test, after which a worker that is alive reports it. */
const LIMIT_MS = 21 * 60_000;

/**
 * Ends the run with a failure when none of a file's tests has ended for a while, and names the file. Timeouts of tests are timers of the
 * worker, which do not fire while its event loop is blocked: the run would wait without end.
 */
export const createStallReporter = (limitMs = LIMIT_MS): Reporter => {
  const timers = new Map<string, NodeJS.Timeout>();
  let vitest: Vitest | undefined;
  const stalled = (module: TestModule): void => {
    process.stderr.write(`${module.relativeModuleId}: no test has ended for ${limitMs / 60_000} minutes\n`);
    process.exitCode = 1;
    void vitest?.exit(true);
    // A blocked worker does not stop by itself.
    execFile('pkill', ['-KILL', '-P', String(process.pid), '-f', 'vitest/dist/workers'], () => undefined);
  };
  const stop = (module: TestModule): void => clearTimeout(timers.get(module.id));
  const restart = (module: TestModule): void => {
    stop(module);
    timers.set(module.id, setTimeout(stalled, limitMs, module).unref());
  };
  return {
    onInit: (started) => {
      vitest = started;
    },
    onTestModuleQueued: restart,
    onTestCaseResult: (test) => restart(test.module),
    onTestModuleEnd: stop,
  };
};
