import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { testEngines, testEnvironment } from '@florin/data/testing';
import { type Environment, processEnvironment } from '@florin/rpc/config';
import { createTestAuthority } from '@florin/rpc/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { ROOT } from '../support/settings.ts';

/** How a process ends, seen from its supervisor: exit code, and what it printed. */

const authority = await createTestAuthority({ chain: [] });
const running = new Set<ReturnType<typeof spawn>>();
afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
  running.clear();
});

const start = (more: Environment) => {
  const { PATH, NODE_COMPILE_CACHE } = processEnvironment();
  const env = {
    PATH,
    NODE_COMPILE_CACHE,
    ...testEnvironment('chain', authority),
    LEDGER_URL: 'http://127.0.0.1:1',
    IDENTITY_URL: 'http://127.0.0.1:1',
  };
  const child = spawn(process.execPath, [join(ROOT, 'services/chain/src/main.ts')], {
    env: { ...env, LOG_LEVEL: 'info', ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  let printed = '';
  let errors = '';
  const progress: (() => void)[] = [];
  child.stdout.on('data', (chunk) => {
    printed += String(chunk);
    for (const look of progress) look();
  });
  child.stderr.on('data', (chunk) => {
    errors += String(chunk);
  });
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, errors: errors.trimEnd().split('\n') }));
  const until = (text: string): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (printed.includes(text)) resolve();
      };
      progress.push(look);
      look();
    });
  return { child, ended, until };
};

describe('a process', () => {
  it.each<[string, Environment, RegExp]>([
    ['a missing secret', { SERVICE_KEY: '' }, /^chain: SERVICE_KEY: is required$/],
    ['a malformed secret', { SERVICE_KEY: '{"kty":' }, /^chain: SERVICE_KEY: /],
    [
      'a secret file that cannot be read',
      { SERVICE_KEY: '', SERVICE_KEY_FILE: '/nowhere' },
      /^chain: SERVICE_KEY_FILE: the named file cannot be read/,
    ],
    [
      'wrong credentials of an engine',
      { REDIS_URL: testEngines().redisUrl.replace('redis://', 'redis://unknown:secret-word@') },
      /^chain: REDIS_URL: Redis rejects the credentials$/,
    ],
  ])(
    'ends with exit code 78 and one line, without the value, for %s',
    async (_what, env, line) => {
      const { code, errors } = await start(env).ended;
      expect([code, errors]).toEqual([78, [expect.stringMatching(line)]]);
      expect(errors[0]).not.toContain('secret-word');
    },
    30_000,
  );

  it('ends at once and without an error on SIGTERM while it waits for an engine', async () => {
    const { child, ended, until } = start({ MONGODB_URI: 'mongodb://127.0.0.1:1/?serverSelectionTimeoutMS=500' });
    await until('waiting for mongodb: ');
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 0 });
  }, 60_000);
});
