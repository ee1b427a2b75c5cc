import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { PROCESS_NAMES, type ProcessName } from './config.ts';
import type { PlatformKeys } from './keys.ts';
import { serviceProcess } from './service-processes.ts';

const perProcess = <T>(value: (index: number) => T) =>
  Object.fromEntries(PROCESS_NAMES.map((name, index) => [name, value(index)])) as Record<ProcessName, T>;

/** The specification of a process; keys are files whose names do not matter here. */
const processOf = (name: ProcessName, env: NodeJS.ProcessEnv = {}, sandbox = true) =>
  serviceProcess(name, {
    rootDir: '/florin',
    env,
    config: { ports: perProcess((index) => 1000 + index), sandbox, logLevel: 'info' },
    keys: {
      keyFile: () => 'key',
      fieldKeyFiles: () => ({ keys: 'keys', hashKey: 'hash-key' }),
      trustFile: 'trust',
    } as unknown as PlatformKeys,
    urls: perProcess((index) => `http://127.0.0.1:${1000 + index}`),
    mongodbUri: 'mongodb://127.0.0.1',
    redisUrlOf: (name) => `redis://${name}@127.0.0.1`,
  });

const environmentOf = (...of: Parameters<typeof processOf>) => processOf(...of).env ?? {};

describe('a process', () => {
  it('goes on after SIGUSR1, which opens no debugger', async () => {
    const { command, args = [] } = processOf('vault');
    const child = spawn(command, [...args.slice(0, -1), '-e', "setInterval(() => {}, 1000); console.log('up')"], { stdio: 'pipe' });
    let errors = '';
    child.stderr.on('data', (chunk: Buffer) => {
      errors += chunk.toString();
    });
    await once(child.stdout, 'data');
    child.kill('SIGUSR1');
    await setTimeout(500);
    expect([child.exitCode, child.signalCode, errors]).toEqual([null, null, '']);
    child.kill('SIGKILL');
  });

  it.each(PROCESS_NAMES)('starts without a debugger: %s', (name) => {
    expect(processOf(name).args).toContain('--disable-sigusr1');
  });
});

describe('the environment of the processes', () => {
  it('gives each its own port for metrics: the gateway the one that was asked for, the others those after it', () => {
    const ports = PROCESS_NAMES.map((name) => environmentOf(name, { METRICS_PORT: '9100' })['METRICS_PORT']);
    expect(environmentOf('gateway', { METRICS_PORT: '9100' })['METRICS_PORT']).toBe('9100');
    expect([...ports].sort()).toEqual(PROCESS_NAMES.map((_, index) => String(9100 + index)));
  });

  it.each([undefined, '', '0'])('passes METRICS_PORT=%j on', (given) => {
    const env = given === undefined ? {} : { METRICS_PORT: given };
    expect(environmentOf('card', env)['METRICS_PORT']).toBe(given);
  });

  it.each([
    [true, {}, 'true'],
    [false, {}, 'false'],
    [true, { WEBHOOKS_ALLOW_LOOPBACK: 'false' }, 'false'],
  ])('lets webhooks of a sandbox go to this machine: with SANDBOX=%j and %j, %s', (sandbox, env, expected) => {
    for (const name of ['events', 'webhooks'] as const) expect(environmentOf(name, env, sandbox)['WEBHOOKS_ALLOW_LOOPBACK']).toBe(expected);
    expect(environmentOf('card', {}, sandbox)['WEBHOOKS_ALLOW_LOOPBACK']).toBeUndefined();
  });
});
