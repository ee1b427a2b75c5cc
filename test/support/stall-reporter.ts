import { execFile } from 'node:child_process';
import type { Reporter, TestModule, Vitest } from 'vitest/node';

/** Several times what the slowest file takes on a busy machine. */
const LIMIT_MS = 10 * 60_000;

/**
 * Ends the run with a failure when a file does not end, and names it. Timeouts of tests are timers of the worker, which do not fire while
 * its event loop is blocked: the run would wait without end.
 */
export const createStallReporter = (limitMs = LIMIT_MS): Reporter => {
  const timers = new Map<string, NodeJS.Timeout>();
  let vitest: Vitest | undefined;
  const stalled = (module: TestModule): void => {
    process.stderr.write(`${module.relativeModuleId} has not ended after ${limitMs / 60_000} minutes\n`);
    process.exitCode = 1;
    void vitest?.exit(true);
    // A blocked worker does not stop by itself.
    execFile('pkill', ['-KILL', '-P', String(process.pid), '-f', 'vitest/dist/workers'], () => undefined);
  };
  return {
    onInit: (started) => {
      vitest = started;
    },
    onTestModuleQueued: (module) => {
      timers.set(module.id, setTimeout(stalled, limitMs, module).unref());
    },
    onTestModuleEnd: (module) => clearTimeout(timers.get(module.id)),
  };
};
