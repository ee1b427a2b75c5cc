import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../../..');

/** As long as a loaded machine may take for one process. */
const TIMEOUT_MS = 120_000;

let directory: string;
const run = async (...args: string[]) => {
  const child = spawn(process.execPath, args, { cwd: directory, env: {}, stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { status: status as number | null, stdout, stderr };
};

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'florin-image-'));
  const made = await run(join(ROOT, 'deploy/image/src/main.ts'), directory);
  if (made.status !== 0) throw new Error(made.stderr);
}, 2 * TIMEOUT_MS);
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const entries = ['gateway/src/main.ts', 'gateway/back-office/src/{main,migrate}.ts', 'services/*/src/{main,migrate}.ts']
  .flatMap((pattern) => globSync(pattern, { cwd: ROOT }))
  .map((path) => path.replace(/\.ts$/, '.js'));

describe('the files of the image', () => {
  it.each(entries)(
    '%s starts, and names the configuration that it lacks',
    async (entry) => {
      const { status, stderr } = await run(entry);
      expect([status, stderr]).toEqual([78, expect.stringMatching(/^[\w-]+: .*is required/)]);
    },
    TIMEOUT_MS,
  );

  it('contain the command of the ledger, with the parts that the bundles load', { timeout: TIMEOUT_MS }, async () => {
    expect((await run('services/ledger/src/cli/main.js', 'no-such-command')).stderr).toMatch(/usage|unknown/i);
    const script = "require('secp256k1/bindings'); import('tiny-secp256k1').then(() => console.log('loaded'))";
    expect(await run('--eval', script)).toMatchObject({ stdout: 'loaded\n', status: 0 });
    for (const path of [
      'gateway/app/dist/index.html',
      'gateway/back-office/pages/dist/index.html',
      'gateway/guides',
      'node_modules/swagger-ui-dist/swagger-ui-bundle.js',
    ]) {
      expect(existsSync(join(directory, path)), path).toBe(true);
    }
  });

  it('contain no types, tests or sources', () => {
    expect(globSync('**/*.{ts,map,test.js}', { cwd: directory })).toEqual([]);
  });
});
