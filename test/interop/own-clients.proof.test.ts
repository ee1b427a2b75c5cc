import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findGo, runStep } from '@florin/local';
import { processEnvironment } from '@florin/rpc/config';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { registerPartnerServer } from '../support/partner-server.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { pythonTools } from '../support/python.ts';
import { ROOT } from '../support/settings.ts';

const PYTHON = [
  'httpx==0.28.1',
  'eth-account==0.14.0',
  'cryptography==50.0.2',
  'pytest==9.2.0',
  'mypy==2.4.1',
  'build==1.3.0',
  'hatchling==1.33.0',
] as const;

/** Installing and compiling everything the first time. */
const INSTALL_MS = 600_000;
const RUN_MS = 400_000;

const CLIENTS = join(ROOT, 'gateway/clients');
const PARTNER = 'florin';

const env = processEnvironment();
const report = (line: string) => void process.stdout.write(`${line}\n`);

let platform: PlatformInProcess;
let folder: string;
let sandbox: NodeJS.ProcessEnv;
let python: string | undefined;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'florin-clients-'));
  const dataDir = join(folder, 'data');
  await registerPartnerServer(dataDir, PARTNER, env);
  // Partners' servers sign tokens by the machine's clock.
  const clock = { now: () => new Date(), advanceSeconds: () => undefined };
  const place = { dataDir, database: `clients_${process.pid}` };
  [platform, python] = await Promise.all([
    startPlatformInProcess({}, { events: {}, clock, place }),
    pythonTools(PYTHON, report),
    cp(CLIENTS, join(folder, 'clients'), { recursive: true }),
  ]);
  const key = await readFile(join(dataDir, `${PARTNER}-server.key.json`), 'utf8');
  sandbox = { FLORIN_URL: platform.url, FLORIN_PARTNER_KEY: key };
}, INSTALL_MS);
afterAll(async () => {
  await platform?.close();
  await rm(folder, { recursive: true, force: true });
});

describe('the Python client', { timeout: RUN_MS }, () => {
  const run = (programs: string, command: string, args: string[], more: NodeJS.ProcessEnv = {}) =>
    runStep({
      command: join(programs, command),
      args,
      cwd: join(folder, 'clients/python'),
      env: { PATH: env['PATH'], HOME: folder, ...more },
      timeoutMs: RUN_MS,
    });

  it('plays the story, and its README runs', async ({ skip }) => {
    if (python === undefined) return skip('Python is not available');
    const output = await run(python, 'pytest', ['-q', '-p', 'no:cacheprovider'], sandbox);
    expect(output).toMatch(/^\d+ passed in /m);
  });

  it('has types that are sound', async ({ skip }) => {
    if (python === undefined) return skip('Python is not available');
    expect(await run(python, 'mypy', ['--python-version', '3.10'])).toContain('Success: no issues found');
  });

  it('is a package', async ({ skip }) => {
    if (python === undefined) return skip('Python is not available');
    await run(python, 'python', ['-m', 'build', '--no-isolation', '--wheel', '--outdir', 'dist']);
    const wheel = 'dist/florin_client-0.1.0-py3-none-any.whl';
    const names = await run(python, 'python', ['-m', 'zipfile', '--list', wheel]);
    for (const name of ['client.py', 'py.typed', 'generated/types.py']) expect(names).toContain(`florin_client/${name}`);
  });
});

describe('the Go client', { timeout: RUN_MS }, () => {
  const go = findGo(env);
  const run = (args: string[], more: NodeJS.ProcessEnv = {}) =>
    runStep({ command: go ?? 'go', args, cwd: join(folder, 'clients/go'), env: { ...env, ...more }, timeoutMs: RUN_MS });

  it('plays the story, and its README runs', async ({ skip }) => {
    if (go === undefined) return skip('Go is not available');
    await run(['vet', './...']);
    expect(await run(['test', '-count=1', './...'], sandbox)).toMatch(/^ok /m);
  });
});
