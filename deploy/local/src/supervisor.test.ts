import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { processIdentity } from './processes/process-identity.ts';
import { ProcessStartError } from './processes/process-spec.ts';
import { createSupervisor, type Supervisor } from './supervisor.ts';
import { childSpec, writtenPid } from './testing/child-spec.ts';
import { temporaryDirectory } from './testing/temporary-directory.ts';
import { until } from './testing/until.ts';

const isRunning = (pid: number | undefined): boolean => pid !== undefined && processIdentity(pid) !== undefined;

const setUp = (): { directory: string; runDir: string; reports: string[]; supervisor: Supervisor } => {
  const directory = temporaryDirectory();
  const [runDir, logsDir] = [join(directory, 'run'), join(directory, 'logs')];
  mkdirSync(runDir);
  mkdirSync(logsDir);
  const reports: string[] = [];
  const supervisor = createSupervisor({ runDir, logsDir, report: (line) => reports.push(line) });
  onTestFinished(() => supervisor.stop());
  return { directory, runDir, reports, supervisor };
};

describe('a supervised process', () => {
  it('is running and recorded when start resolves', async () => {
    const { directory, runDir, supervisor } = setUp();
    const child = await supervisor.start(childSpec('worker', directory));
    expect(writtenPid(join(directory, 'worker.ready'))).toBe(child.pid());
    expect(supervisor.processes()).toEqual([{ name: 'worker', pid: child.pid(), restarts: 0 }]);
    expect(readdirSync(runDir)).toEqual(['worker.pid']);
  });

  it('is restarted after every SIGKILL', async () => {
    const { directory, reports, supervisor } = setUp();
    const child = await supervisor.start(childSpec('worker', directory));
    for (const restarts of [1, 2]) {
      const before = child.pid();
      process.kill(before ?? 0, 'SIGKILL');
      await until(() => reports.filter((line) => line === 'worker: is running again').length === restarts);
      expect(child.pid()).not.toBe(before);
      expect(isRunning(child.pid())).toBe(true);
      expect(child.restarts()).toBe(restarts);
    }
    expect(reports[0]).toBe('worker: was killed by SIGKILL; restarting');
  });

  it('is restarted until it succeeds', async () => {
    const { directory, reports, supervisor } = setUp();
    const obstacle = join(directory, 'obstacle');
    const child = await supervisor.start(childSpec('worker', directory, { fail: 'no storage', 'fail-if': obstacle }));
    writeFileSync(obstacle, '');
    process.kill(child.pid() ?? 0, 'SIGKILL');
    await until(() => reports.includes('worker: exited with code 3; retrying'));
    rmSync(obstacle);
    await until(() => reports.includes('worker: is running again'));
    expect(isRunning(child.pid())).toBe(true);
  });

  it('that fails on its first start is not restarted; the error includes its last lines', async () => {
    const { directory, runDir, supervisor } = setUp();
    const start = supervisor.start(childSpec('worker', directory, { fail: 'PORT: is required' }));
    const error: unknown = await start.catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(ProcessStartError);
    expect((error as Error).message).toMatch(
      /^worker exited with code 3 \(log: .*worker\.log\)\. Last lines of its log:\n {4}PORT: is required$/,
    );
    expect(supervisor.processes()).toEqual([]);
    expect(readdirSync(runDir)).toEqual([]);
  });

  it('that is not ready in time is stopped', async () => {
    const { directory, supervisor } = setUp();
    const pidFile = join(directory, 'grandchild');
    const spec = childSpec('worker', directory, { never: 'yes', child: pidFile });
    await expect(supervisor.start({ ...spec, isReady: async () => false, readyTimeoutMs: 1_000 })).rejects.toThrow(
      'worker was not ready within 1 s',
    );
    if (existsSync(pidFile)) await until(() => !isRunning(writtenPid(pidFile)));
  });

  it('whose program does not exist fails to start', async () => {
    const { directory, supervisor } = setUp();
    const spec = { ...childSpec('worker', directory), command: join(directory, 'nothing') };
    await expect(supervisor.start(spec)).rejects.toThrow(/^worker cannot be started \(spawn .*ENOENT\)/);
  });
});

describe('stopping', () => {
  it('proceeds tier by tier from the highest', async () => {
    const { directory, supervisor } = setUp();
    for (const [tier, name] of ['engine', 'service', 'gateway'].entries()) {
      await supervisor.start({ ...childSpec(name, directory), tier });
    }
    await supervisor.stop();
    expect(readFileSync(join(directory, 'stopped'), 'utf8')).toBe('gateway\nservice\nengine\n');
  });

  it('leaves no process, descendant or record behind, even if the process ignores the signal', async () => {
    const { directory, runDir, supervisor } = setUp();
    const pidFile = join(directory, 'grandchild');
    const spec = childSpec('worker', directory, { stubborn: 'yes', child: pidFile });
    const child = await supervisor.start({ ...spec, stopTimeoutMs: 200 });
    const pids = [child.pid(), writtenPid(pidFile)];
    expect(pids.map(isRunning)).toEqual([true, true]);
    await supervisor.stop();
    await until(() => !pids.some(isRunning));
    expect(readdirSync(runDir)).toEqual([]);
  });

  it('kills the descendants of a killed child', async () => {
    const { directory, reports, supervisor } = setUp();
    const pidFile = join(directory, 'grandchild');
    const child = await supervisor.start(childSpec('worker', directory, { child: pidFile }));
    const grandchild = writtenPid(pidFile);
    process.kill(child.pid() ?? 0, 'SIGKILL');
    await until(() => reports.includes('worker: is running again'));
    await until(() => !isRunning(grandchild));
  });

  it('prevents a pending restart', async () => {
    const { directory, reports, supervisor } = setUp();
    const obstacle = join(directory, 'obstacle');
    const child = await supervisor.start(childSpec('worker', directory, { fail: 'no', 'fail-if': obstacle }));
    writeFileSync(obstacle, '');
    process.kill(child.pid() ?? 0, 'SIGKILL');
    await until(() => reports.some((line) => line.endsWith('retrying')));
    await supervisor.stop();
    const restarts = child.restarts();
    rmSync(obstacle);
    expect(child.pid()).toBeUndefined();
    await expect(supervisor.start(childSpec('late', directory))).rejects.toThrow('The supervisor is stopping.');
    expect(child.restarts()).toBe(restarts);
  });

  it('cancels a start in progress', async () => {
    const { directory, supervisor } = setUp();
    const start = supervisor.start({ ...childSpec('worker', directory), isReady: async () => false }).catch((cause: unknown) => cause);
    await until(() => supervisor.processes()[0]?.pid !== undefined);
    const pid = supervisor.processes()[0]?.pid;
    await supervisor.stop();
    expect(await start).toBeInstanceOf(ProcessStartError);
    expect(isRunning(pid)).toBe(false);
  });

  it('can be forced', async () => {
    const { directory, supervisor } = setUp();
    const child = await supervisor.start({ ...childSpec('worker', directory, { stubborn: 'yes' }), stopTimeoutMs: 60_000 });
    const pid = child.pid();
    const stopped = supervisor.stop();
    supervisor.kill();
    await stopped;
    expect(isRunning(pid)).toBe(false);
  });
});
