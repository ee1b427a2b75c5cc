import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findGo } from '@florin/local';
import { createServiceTokenVerifier, serviceTrustSchema } from '@florin/rpc/auth';
import { processEnvironment } from '@florin/rpc/config';
import { exportJWK, importSPKI } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const GUIDE = join(import.meta.dirname, '../../gateway/guides/partners.md');
const SCOPES = ['events.read', 'webhooks.manage'];
const TOOL_MS = 180_000;

const run = promisify(execFile);
const environment = processEnvironment();

let folder: string;
let verify: ReturnType<typeof createServiceTokenVerifier>;
let sampleOf: (language: string, begin?: string) => string;

beforeAll(async () => {
  // Inside the checkout, so that the sample finds jose.
  folder = await mkdtemp(join(import.meta.dirname, '.sample-'));
  const guide = await readFile(GUIDE, 'utf8');
  sampleOf = (language, begin = '') => {
    const samples = [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))];
    const text = samples.map(([, sample = '']) => sample).find((sample) => sample.startsWith(begin));
    if (text === undefined) throw new Error(`the guide has no sample in ${language}`);
    return text;
  };
  await run('sh', ['-ec', sampleOf('sh')], { cwd: folder });
  const key = await exportJWK(await importSPKI(await readFile(join(folder, 'acme.pub.pem'), 'utf8'), 'EdDSA', { extractable: true }));
  await writeFile(join(folder, 'acme.json'), JSON.stringify({ clientId: 'acme-server', name: 'Books' }));
  const client = { name: 'acme-server', key: { ...key, kid: 'acme-server' }, scopes: SCOPES, partnerId: 'acme' };
  verify = createServiceTokenVerifier('events', serviceTrustSchema.parse({ clients: [client] }));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The second one: the first registers the key. */
const tokenSample = (): string => sampleOf('bash', 'token() {');

const expected = { kind: 'service', name: 'acme-server', partnerId: 'acme', scopes: new Set(SCOPES) };

describe('a partner’s token by the guide', { timeout: TOOL_MS }, () => {
  it('is accepted when signed with a shell', async () => {
    const { stdout } = await run('bash', ['-ec', `${tokenSample()}\ntoken '${SCOPES.join(' ')}'`], { cwd: folder });
    expect(await verify(stdout)).toMatchObject(expected);
  });

  it('is accepted when signed in TypeScript', async () => {
    const file = join(folder, 'token.ts');
    await writeFile(file, `${sampleOf('ts')}\nprocess.stdout.write(await token(...process.argv.slice(2)));\n`);
    const { stdout } = await run(process.execPath, [file, ...SCOPES], { cwd: folder });
    expect(await verify(stdout)).toMatchObject(expected);
  });

  it('is accepted when signed in Python', async ({ skip }) => {
    const python = environment['PYTHON'] ?? 'python3';
    const has = await run(python, ['-c', 'import jwt, cryptography']).then(
      () => true,
      () => false,
    );
    if (!has) return skip('Python with pyjwt[crypto] is not available');
    const { stdout } = await run(python, ['-c', `${sampleOf('python')}\nprint(token(*${JSON.stringify(SCOPES)}), end="")`], {
      cwd: folder,
    });
    expect(await verify(stdout)).toMatchObject(expected);
  });

  it('is accepted when signed in Go', async ({ skip }) => {
    const go = findGo(environment);
    if (go === undefined) return skip('Go is not available');
    const home = await mkdtemp(join(tmpdir(), 'florin-go-'));
    try {
      for (const file of ['acme.pem', 'acme.json']) await copyFile(join(folder, file), join(home, file));
      await writeFile(join(home, 'main.go'), sampleOf('go'));
      const env = { PATH: environment['PATH'], HOME: home, GOCACHE: join(home, 'cache'), GO111MODULE: 'off' };
      const { stdout } = await run(go, ['run', 'main.go', ...SCOPES], { cwd: home, env });
      expect(await verify(stdout.trim())).toMatchObject(expected);
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  });
});
