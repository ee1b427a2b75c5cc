import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import mongoose from 'mongoose';
import { createClient } from 'redis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { processEnvironment } from '../environment.ts';
import { isRecordAlive, readPidFiles } from '../processes/pid-file.ts';
import { until } from '../testing/until.ts';
import { processesWorkingIn } from './postgres.ts';

type Launched = { launcher: ChildProcess; mongodbUri: string; redisUrl: string };

/** Starts the engines under a launcher process that the test can kill. */
const launch = async (dataDir: string): Promise<Launched> => {
  const script = fileURLToPath(new URL('../engines-cli.ts', import.meta.url));
  const launcher = spawn(process.execPath, [script, '--data-dir', dataDir], { stdio: ['ignore', 'pipe', 'pipe'] });
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
};

const stop = async (launcher: ChildProcess): Promise<void> => {
  if (launcher.exitCode !== null || launcher.signalCode !== null) return;
  const exited = once(launcher, 'exit');
  launcher.kill('SIGTERM');
  await exited;
};

/** Rejects when Redis is not available. Errors of a connection that is lost later are reported by its commands. */
const openRedis = (url: string) =>
  createClient({ url, socket: { reconnectStrategy: false } })
    .on('error', () => undefined)
    .connect();

const write = async ({ mongodbUri, redisUrl }: Launched, value: number): Promise<void> => {
  const connection = await mongoose.createConnection(mongodbUri, { dbName: 'restart' }).asPromise();
  await connection.collection('notes').insertOne({ value });
  await connection.close();
  const redis = await openRedis(redisUrl);
  await redis.set(`note:${value}`, String(value));
  redis.destroy();
};

const read = async ({ mongodbUri, redisUrl }: Launched): Promise<{ mongodb: unknown[]; redis: string[] }> => {
  const connection = await mongoose.createConnection(mongodbUri, { dbName: 'restart' }).asPromise();
  const documents = await connection.collection('notes').find().sort({ value: 1 }).toArray();
  await connection.close();
  const redis = await openRedis(redisUrl);
  const keys = await redis.keys('note:*');
  redis.destroy();
  return { mongodb: documents.map(({ value }) => value), redis: keys.sort() };
};

/** Returns the pids of all engine processes: the recorded ones, and PostgreSQL's backends, which lead their own process groups. */
const engineProcesses = (dataDir: string): number[] => {
  const recorded = readPidFiles(join(dataDir, 'run')).filter(isRecordAlive);
  const postgres = join(dataDir, 'postgres');
  return [...recorded.map(({ pid }) => pid), ...(existsSync(postgres) ? processesWorkingIn(postgres) : [])];
};

const killIfRunning = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has exited together with another process.
  }
};

// Engines that the variables name belong to the user and must not be killed.
describe.skipIf(processEnvironment()['MONGODB_URI'] !== undefined || processEnvironment()['REDIS_URL'] !== undefined)('the engines', () => {
  // One data directory for all of them: creating a database cluster takes longer than the tests.
  let dataDir: string;
  let engines: Launched;
  beforeAll(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'florin-engines-'));
  });
  afterAll(async () => {
    if (engines !== undefined) await stop(engines.launcher);
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('keep every acknowledged write when all processes and the launcher are killed', async () => {
    const first = await launch(dataDir);
    await write(first, 1);
    // Suspended first, so that it does not restart the engines while they are being killed.
    first.launcher.kill('SIGSTOP');
    for (const pid of engineProcesses(dataDir)) killIfRunning(pid);
    const exited = once(first.launcher, 'exit');
    first.launcher.kill('SIGKILL');
    await exited;

    engines = await launch(dataDir);
    await write(engines, 2);
    expect(await read(engines)).toEqual({ mongodb: [1, 2], redis: ['note:1', 'note:2'] });
  }, 60_000);

  it('are restarted on the same port with the same data when they are killed', async () => {
    for (const { name, pid } of readPidFiles(join(dataDir, 'run'))) {
      process.kill(pid, 'SIGKILL');
      await until(() => readPidFiles(join(dataDir, 'run')).some((record) => record.name === name && record.pid !== pid));
    }
    await until(() =>
      read(engines).then(
        ({ mongodb, redis }) => mongodb.length === 2 && redis.length === 2,
        () => false,
      ),
    );
    expect(await read(engines)).toEqual({ mongodb: [1, 2], redis: ['note:1', 'note:2'] });
  }, 60_000);

  it('leave nothing behind when their launcher is stopped', async () => {
    await stop(engines.launcher);
    expect(engines.launcher.exitCode).toBe(0);
    expect(engineProcesses(dataDir)).toEqual([]);
    expect(readdirSync(join(dataDir, 'run'))).toEqual([]);
  }, 60_000);

  it('exit when their launcher is killed', async () => {
    engines = await launch(dataDir);
    engines.launcher.kill('SIGKILL');
    if (process.platform === 'linux') await until(() => engineProcesses(dataDir).length === 0);
  }, 60_000);
});
