import { mkdirSync } from 'node:fs';
import { freePort } from '../free-port.ts';
import { redisAnswers } from './probes.ts';
import type { EngineContext, RunningEngine } from './provider.ts';
import { runningProcesses } from './running.ts';

export type RedisCommand = {
  /** What runs, for people. */
  label: string;
  /** The directory as the server sees it. */
  directory: string;
  wrap(args: readonly string[]): { command: string; args: string[] };
};

/** Runs a Redis, wherever its program comes from, with its data under the data directory. */
export async function startRedisServer(context: EngineContext, redis: RedisCommand): Promise<RunningEngine> {
  const port = context.port ?? (await freePort());
  const settings: Record<string, string> = {
    bind: '127.0.0.1',
    port: String(port),
    dir: redis.directory,
    // What the server writes within a second may be lost in a power cut, nothing when only the process is killed.
    appendonly: context.durable ? 'yes' : 'no',
    appendfsync: 'everysec',
    save: '',
    // OTPs, locks and nonces must not vanish because memory is short: refuse the write instead.
    'maxmemory-policy': 'noeviction',
    daemonize: 'no',
  };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  const server = await context.supervisor.start({
    name: 'redis',
    tier: 0,
    ...redis.wrap(args),
    isReady: () => redisAnswers(port),
    signalWhenOrphaned: 'SIGTERM',
    stopTimeoutMs: 10_000,
  });
  return runningProcesses(`redis://127.0.0.1:${port}`, `${redis.label}, 127.0.0.1:${port}`, [server]);
}

/** A Redis whose program is a file of this machine. */
export function startLocalRedis(context: EngineContext, program: string, label: string): Promise<RunningEngine> {
  const directory = context.dataDir.engine('redis');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  return startRedisServer(context, { label, directory, wrap: (args) => ({ command: program, args: [...args] }) });
}
