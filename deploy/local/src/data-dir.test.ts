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

/** A launcher in a process of its own, which supervises one child. */
async function launch(dataDir: string, ...args: string[]): Promise<{ launcher: ChildProcess; child: number }> {
  const script = fileURLToPath(new URL('./testing/launcher.ts', import.meta.url));
  const launcher = spawn(process.execPath, [script, dataDir, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [said] = (await once(launcher.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  expect(said.toString()).toBe('up\n');
  const child = writtenPid(join(dataDir, 'worker.ready'));
  onTestFinished(() => {
    launcher.kill('SIGKILL');
    if (isRunning(child)) process.kill(child, 'SIGKILL');
  });
  return { launcher, child };
}

async function kill(launcher: ChildProcess): Promise<void> {
  const exited = once(launcher, 'exit');
  launcher.kill('SIGKILL');
  await exited;
}

describe('a data directory', () => {
  it('belongs to one live launcher', async () => {
    const path = temporaryDirectory();
    const { launcher, child } = await launch(path);
    const error: unknown = await openDataDir(path, () => undefined).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(DataDirInUseError);
    expect((error as Error).message).toContain(`in use by process ${launcher.pid}`);
    expect(isRunning(child)).toBe(true);
  });

  it('can be taken again after its release', async () => {
    const path = temporaryDirectory();
    (await openDataDir(path, () => undefined)).release();
    (await openDataDir(path, () => undefined)).release();
    expect(readdirSync(join(path, 'run'))).toEqual([]);
  });

  it('is freed of what a killed launcher has left running', async () => {
    const path = temporaryDirectory();
    const { launcher, child } = await launch(path);
    await kill(launcher);
    expect(isRunning(child)).toBe(true);
    const reports: string[] = [];
    const dataDir = await openDataDir(path, (line) => reports.push(line));
    expect(isRunning(child)).toBe(false);
    expect(reports).toEqual(['stopping what an earlier, killed start left running: worker']);
    dataDir.release();
    expect(readdirSync(dataDir.runDir)).toEqual([]);
  });

  it('leaves a process alone that has the pid of one that is gone', async () => {
    const path = temporaryDirectory();
    const runDir = join(path, 'run');
    mkdirSync(runDir);
    const stranger = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    onTestFinished(() => void stranger.kill('SIGKILL'));
    const record = { name: 'postgres', pid: stranger.pid, identity: 'another boot:1' };
    writeFileSync(join(runDir, 'postgres.pid'), JSON.stringify(record));
    writeFileSync(join(runDir, 'broken.pid'), '{"pid":');
    (await openDataDir(path, () => undefined)).release();
    expect(isRunning(stranger.pid ?? 0)).toBe(true);
    expect(readdirSync(runDir)).toEqual([]);
  });

  it('is freed even of a process that ignores the request', async () => {
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

  it('gives children an IPC channel by which they notice that the launcher is gone', async () => {
    const { launcher, child } = await launch(temporaryDirectory(), 'ipc');
    await kill(launcher);
    await until(() => !isRunning(child));
  });
});
