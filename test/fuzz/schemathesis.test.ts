import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { runSchemathesis } from './schemathesis.ts';

afterEach(() => vi.unstubAllEnvs());

it('has not passed where it cannot run', async () => {
  const empty = await mkdtemp(join(tmpdir(), 'florin-no-python-'));
  vi.stubEnv('PATH', empty);
  vi.stubEnv('XDG_CACHE_HOME', empty);
  const lines: string[] = [];
  expect(await runSchemathesis('http://127.0.0.1:1', (line) => lines.push(line))).toBe(false);
  expect(lines.at(-1)).toBe('schemathesis: did not run');
  await rm(empty, { recursive: true });
});
