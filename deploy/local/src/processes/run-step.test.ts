import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { temporaryDirectory } from '../testing/temporary-directory.ts';
import { until } from '../testing/until.ts';
import { processIdentity } from './process-identity.ts';
import { runStep, StepError } from './run-step.ts';

const run = (script: string, options: Partial<Parameters<typeof runStep>[0]> = {}) =>
  runStep({ command: '/bin/sh', args: ['-c', script], timeoutMs: 20_000, ...options });

const failureOf = async (step: Promise<string>): Promise<StepError> => {
  const error: unknown = await step.catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(StepError);
  return error as StepError;
};

describe('a step', () => {
  it('returns what the program wrote to stdout', async () => {
    expect(await run('echo one; echo two >&2; echo three')).toBe('one\nthree\n');
  });

  it('runs in the given directory with the given environment only', async () => {
    const directory = temporaryDirectory();
    expect(await run('pwd; echo "$GREETING/$HOME"', { cwd: directory, env: { GREETING: 'hello', PATH: '/usr/bin:/bin' } })).toBe(
      `${directory}\nhello/\n`,
    );
  });

  it('gives the program its input, which it need not read', async () => {
    expect(await run('cat', { input: 'one\ntwo\n' })).toBe('one\ntwo\n');
    expect(await run('cat')).toBe('');
    expect(await run('echo unread', { input: 'x'.repeat(1_000_000) })).toBe('unread\n');
  });

  it('that fails reports its exit code and the last line of its output', async () => {
    const error = await failureOf(run('echo out; echo why >&2; exit 3'));
    expect(error.message).toBe('sh failed with code 3: why');
    expect(error.output).toContain('out\n');
  });

  it('that is killed reports the signal', async () => {
    expect((await failureOf(run('kill -KILL $$'))).message).toBe('sh was killed by SIGKILL');
  });

  it('whose program does not exist reports it', async () => {
    const error = await failureOf(runStep({ command: '/does/not/exist', args: [], timeoutMs: 20_000 }));
    expect(error.message).toMatch(/^exist (cannot be run|failed with code 127)/);
  });

  it('keeps the end of a large output', async () => {
    const output = await run('i=0; while [ $i -lt 20000 ]; do echo "line $i"; i=$((i+1)); done');
    expect(output.length).toBeLessThanOrEqual(64 * 1024);
    expect(output.endsWith('line 19999\n')).toBe(true);
  });

  it('appends all output to the log file', async () => {
    const logPath = join(temporaryDirectory(), 'step.log');
    await run('echo first', { logPath });
    await run('echo second >&2', { logPath });
    expect(readFileSync(logPath, 'utf8')).toBe('first\nsecond\n');
  });

  it.each([
    { how: 'takes too long', says: 'sh took longer than 20 s', cancel: false },
    { how: 'is cancelled', says: 'sh was cancelled', cancel: true },
  ])('that $how ends with everything that it has started', async ({ says, cancel }) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const pidFile = join(temporaryDirectory(), 'pid');
    const controller = new AbortController();
    const step = failureOf(run(`sleep 60 & echo $! > ${pidFile}.new; mv ${pidFile}.new ${pidFile}; wait`, { signal: controller.signal }));
    await until(() => existsSync(pidFile));
    if (cancel) controller.abort();
    else vi.advanceTimersByTime(20_000);
    expect((await step).message).toBe(says);
    const grandchild = Number(readFileSync(pidFile, 'utf8'));
    await until(() => processIdentity(grandchild) === undefined);
  });

  it('is not started when it is cancelled before', async () => {
    const path = join(temporaryDirectory(), 'file');
    const error = await failureOf(run(`sleep 1; touch ${path}`, { signal: AbortSignal.abort() }));
    expect(error.message).toBe('sh was cancelled');
    expect(existsSync(path)).toBe(false);
  });
});
