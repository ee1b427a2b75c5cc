import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import mongoose from 'mongoose';
import { createClient } from 'redis';
import { describe, expect, it, onTestFinished } from 'vitest';
import { processEnvironment } from '../environment.ts';
import { isRecordAlive, readPidFiles } from '../processes/pid-file.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';
import { until } from '../testing/until.ts';
import { processesWorkingIn } from './postgres.ts';

type Launched = { launcher: ChildProcess; mongodbUri: string; redisUrl: string };

/** The engines under a launcher in a process of its own, which the test can kill. */
async function launch(dataDir: string): Promise<Launched> {
  const script = fileURLToPath(new URL('../engines-cli.ts', import.meta.url));
  const launcher = spawn(process.execPath, [script, '--data-dir', dataDir], { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => stop(launcher));
  let output = '';
  let progress = '';
  launcher.stdout?.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  launcher.stderr?.on('data', (chunk: Buffer) => {
    progress += chunk.toString();
  });
  await until(() => output.includes('\n') || launcher.exitCode !== null);
  const [, mongodbUri = '', redisUrl = ''] = /^MONGODB_URI=(\S+) REDIS_URL=(\S+)$/m.exec(output) ?? [];
  expect(mongodbUri, progress).not.toBe('');
  return { launcher, mongodbUri, redisUrl };
}

async function stop(launcher: ChildProcess): Promise<void> {
  if (launcher.exitCode !== null || launcher.signalCode !== null) return;
  const exited = once(launcher, 'exit');
  launcher.kill('SIGTERM');
  await exited;
}

/** Rejects when Redis is not there; one that goes while it is asked is told by what was asked. */
const openRedis = (url: string) =>
  createClient({ url, socket: { reconnectStrategy: false } })
    .on('error', () => undefined)
    .connect();

async function write({ mongodbUri, redisUrl }: Launched, value: number): Promise<void> {
  const connection = await mongoose.createConnection(mongodbUri, { dbName: 'restart' }).asPromise();
  await connection.collection('notes').insertOne({ value });
  await connection.close();
  const redis = await openRedis(redisUrl);
  await redis.set(`note:${value}`, String(value));
  redis.destroy();
}

async function read({ mongodbUri, redisUrl }: Launched): Promise<{ mongodb: unknown[]; redis: string[] }> {
  const connection = await mongoose.createConnection(mongodbUri, { dbName: 'restart' }).asPromise();
  const documents = await connection.collection('notes').find().sort({ value: 1 }).toArray();
  await connection.close();
  const redis = await openRedis(redisUrl);
  const keys = await redis.keys('note:*');
  redis.destroy();
  return { mongodb: documents.map(({ value }) => value), redis: keys.sort() };
}

/** Every process of the engines: the recorded ones, and PostgreSQL's backends, which lead groups of their own. */
function engineProcesses(dataDir: string): number[] {
  const recorded = readPidFiles(join(dataDir, 'run')).filter(isRecordAlive);
  const postgres = join(dataDir, 'postgres');
  return [...recorded.map(({ pid }) => pid), ...(existsSync(postgres) ? processesWorkingIn(postgres) : [])];
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It went with another one.
  }
}

// With the variables set, the engines are somebody else's: not ours to kill.
describe.skipIf(processEnvironment()['MONGODB_URI'] !== undefined || processEnvironment()['REDIS_URL'] !== undefined)('the engines', () => {
  it('keep what was acknowledged when everything is killed, the launcher included', async () => {
    const dataDir = temporaryDirectory();
    const first = await launch(dataDir);
    await write(first, 1);
    // Stopped first, so that it restarts nothing while the engines are being killed.
    first.launcher.kill('SIGSTOP');
    for (const pid of engineProcesses(dataDir)) killIfThere(pid);
    const exited = once(first.launcher, 'exit');
    first.launcher.kill('SIGKILL');
    await exited;

    const second = await launch(dataDir);
    await write(second, 2);
    expect(await read(second)).toEqual({ mongodb: [1, 2], redis: ['note:1', 'note:2'] });
    await stop(second.launcher);
    expect(second.launcher.exitCode).toBe(0);
    expect(engineProcesses(dataDir)).toEqual([]);
    expect(readdirSync(join(dataDir, 'run'))).toEqual([]);
  }, 60_000);

  it('come back on the same port with the same data when one of them is killed', async () => {
    const dataDir = temporaryDirectory();
    const engines = await launch(dataDir);
    await write(engines, 1);
    for (const { name, pid } of readPidFiles(join(dataDir, 'run'))) {
      process.kill(pid, 'SIGKILL');
      await until(() => readPidFiles(join(dataDir, 'run')).some((record) => record.name === name && record.pid !== pid));
    }
    await until(() =>
      read(engines).then(
        ({ mongodb, redis }) => mongodb.length === 1 && redis.length === 1,
        () => false,
      ),
    );
    expect(await read(engines)).toEqual({ mongodb: [1], redis: ['note:1'] });
  }, 60_000);

  it('end on their own when their launcher is killed', async () => {
    const dataDir = temporaryDirectory();
    const { launcher } = await launch(dataDir);
    launcher.kill('SIGKILL');
    if (process.platform === 'linux') await until(() => engineProcesses(dataDir).length === 0);
  }, 60_000);
});
