import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DataDirInUseError, openDataDir } from './data-dir.ts';
import { writePidFile } from './processes/pid-file.ts';
import { processIdentity } from './processes/process-identity.ts';
import { writtenPid } from './testing/child-spec.ts';
import { temporaryDirectory } from './testing/temporary-directory.ts';
import { until } from './testing/until.ts';

const isRunning = (pid: number): boolean => processIdentity(pid) !== undefined;

/** Starts a launcher process that supervises one child. */
const launch = async (dataDir: string, ...args: string[]): Promise<{ launcher: ChildProcess; child: number }> => {
  const script = fileURLToPath(new URL('./testing/launcher.ts', import.meta.url));
  const launcher = spawn(process.execPath, [script, dataDir, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [output] = (await once(launcher.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  expect(output.toString()).toBe('up\n');
  const child = writtenPid(join(dataDir, 'worker.ready'));
  onTestFinished(() => {
    launcher.kill('SIGKILL');
    if (isRunning(child)) process.kill(child, 'SIGKILL');
  });
  return { launcher, child };
};

const kill = async (launcher: ChildProcess): Promise<void> => {
  const exited = once(launcher, 'exit');
  launcher.kill('SIGKILL');
  await exited;
};

describe('a data directory', () => {
  it('is locked by one live launcher', async () => {
    const path = temporaryDirectory();
    const { launcher, child } = await launch(path);
    const error: unknown = await openDataDir(path, () => undefined).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(DataDirInUseError);
    expect((error as Error).message).toContain(`in use by process ${launcher.pid}`);
    expect(isRunning(child)).toBe(true);
  });

  it('can be opened again after its release', async () => {
    const path = temporaryDirectory();
    (await openDataDir(path, () => undefined)).release();
    (await openDataDir(path, () => undefined)).release();
    expect(readdirSync(join(path, 'run'))).toEqual([]);
  });

  it('stops processes that a killed launcher left running when it is opened', async () => {
    const path = temporaryDirectory();
    const { launcher, child } = await launch(path);
    await kill(launcher);
    expect(isRunning(child)).toBe(true);
    const reports: string[] = [];
    const dataDir = await openDataDir(path, (line) => reports.push(line));
    expect(isRunning(child)).toBe(false);
    expect(reports).toEqual(['stopping processes that an earlier start left running: worker']);
    dataDir.release();
    expect(readdirSync(dataDir.runDir)).toEqual([]);
  });

  it('does not stop an unrelated process that has been given the pid of a recorded one', async () => {
    const path = temporaryDirectory();
    const runDir = join(path, 'run');
    mkdirSync(runDir);
    const unrelated = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    onTestFinished(() => void unrelated.kill('SIGKILL'));
    const record = { name: 'postgres', pid: unrelated.pid, identity: 'another boot:1' };
    writeFileSync(join(runDir, 'postgres.pid'), JSON.stringify(record));
    writeFileSync(join(runDir, 'broken.pid'), '{"pid":');
    (await openDataDir(path, () => undefined)).release();
    expect(isRunning(unrelated.pid ?? 0)).toBe(true);
    expect(readdirSync(runDir)).toEqual([]);
  });

  it('kills a leftover process that ignores the stop signal', async () => {
    const path = temporaryDirectory();
    mkdirSync(join(path, 'run'));
    const stubborn = spawn(process.execPath, ['-e', "process.on('SIGINT', () => {}); console.log('up'); setInterval(() => {}, 1000)"], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await once(stubborn.stdout, 'data');
    writePidFile(join(path, 'run'), 'stubborn', stubborn.pid ?? 0);
    const { sweepLeftovers } = await import('./processes/sweep.ts');
    await sweepLeftovers(join(path, 'run'), () => undefined, 100);
    expect(isRunning(stubborn.pid ?? 0)).toBe(false);
  });

  it('gives children an IPC channel that closes when the launcher is killed', async () => {
    const { launcher, child } = await launch(temporaryDirectory(), 'ipc');
    await kill(launcher);
    await until(() => !isRunning(child));
  });
});
