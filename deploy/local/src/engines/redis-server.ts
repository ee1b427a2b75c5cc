import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../free-port.ts';
import { redisAclFile, redisUrlOf } from '../redis-users.ts';
import { isRedisReady } from './probes.ts';
import type { EngineContext, RunningEngine } from './provider.ts';
import { runningProcesses } from './running.ts';

const USERS = 'users.acl';

export type RedisCommand = {
  /** Name of the server in messages. */
  label: string;
  /** The data directory as the server sees it. */
  directory: string;
  /** Returns the command line that runs the server with `args`. */
  wrap: (args: readonly string[]) => { command: string; args: string[] };
};

/** Runs Redis with its data in the data directory. */
export const startRedisServer = async (context: EngineContext, redis: RedisCommand): Promise<RunningEngine> => {
  const port = context.port ?? (await freePort());
  const settings: Record<string, string> = {
    bind: '127.0.0.1',
    port: String(port),
    dir: redis.directory,
    // A power failure may lose the writes of the last second; a killed process loses nothing.
    appendonly: context.durable ? 'yes' : 'no',
    appendfsync: 'everysec',
    save: '',
    // Reject writes when memory is short: one-time passwords, locks and nonces must not be evicted.
    'maxmemory-policy': 'noeviction',
    daemonize: 'no',
  };
  const address = `redis://127.0.0.1:${port}`;
  const { redisPasswords } = context;
  if (redisPasswords !== undefined) {
    // Hashes only. In the package root, Redis runs as another user, who owns the directory.
    writeFileSync(join(context.dataDir.engine('redis'), USERS), redisAclFile(redisPasswords), { mode: 0o644 });
    settings['aclfile'] = join(redis.directory, USERS);
  }
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  const server = await context.supervisor.start({
    name: 'redis',
    tier: 0,
    ...redis.wrap(args),
    isReady: () => isRedisReady(port, redisPasswords?.default),
    signalWhenOrphaned: 'SIGTERM',
    stopTimeoutMs: 10_000,
  });
  const running = runningProcesses(address, `${redis.label}, 127.0.0.1:${port}`, [server]);
  if (redisPasswords === undefined) return running;
  return { ...running, uri: redisUrlOf(address, redisPasswords, 'default'), uriOf: (name) => redisUrlOf(address, redisPasswords, name) };
};

/** Runs Redis from a program on this machine. */
export const startLocalRedis = (context: EngineContext, program: string, label: string): Promise<RunningEngine> => {
  const directory = context.dataDir.engine('redis');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  return startRedisServer(context, { label, directory, wrap: (args) => ({ command: program, args: [...args] }) });
};
