import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findGo } from '@florin/local';
import { createServiceTokenVerifier } from '@florin/rpc/auth';
import { processEnvironment } from '@florin/rpc/config';
import { createTestAuthority } from '@florin/rpc/testing';
import type { JWK } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const GUIDE = join(import.meta.dirname, '../../docs/platform-services.md');
const SCOPE = 'ledger.entries.write';
const GO_MS = 180_000;

const authority = await createTestAuthority({ card: [SCOPE] });
const key = authority.serviceKey('card');
const verify = createServiceTokenVerifier('ledger', authority.trust);
const expected = { kind: 'service', name: 'card', scopes: new Set([SCOPE]) };

let folder: string;
beforeAll(async () => {
  // Inside the checkout, so that the sample finds jose.
  folder = await mkdtemp(join(import.meta.dirname, '.sample-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const sampleOf = async (language: string): Promise<string> => {
  const [, text] = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'm').exec(await readFile(GUIDE, 'utf8')) ?? [];
  if (text === undefined) throw new Error(`the guide has no sample in ${language}`);
  return text;
};

const run = (command: string, args: string[], input: string, env: NodeJS.ProcessEnv): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = execFile(command, args, { env, timeout: GO_MS }, (error, stdout) => (error === null ? resolve(stdout) : reject(error)));
    child.stdin?.end(input);
  });

describe('a service token by the guide', () => {
  it('is accepted when signed in TypeScript', async () => {
    const file = join(folder, 'token.ts');
    await writeFile(file, await sampleOf('ts'));
    const { serviceToken } = (await import(pathToFileURL(file).href)) as {
      serviceToken: (key: JWK, service: string, scopes: string[]) => Promise<string>;
    };
    expect(await verify(await serviceToken(key, 'ledger', [SCOPE]))).toMatchObject(expected);
  });

  it('is accepted when signed in Go', { timeout: GO_MS }, async ({ skip }) => {
    const home = await mkdtemp(join(tmpdir(), 'florin-go-'));
    try {
      const environment = processEnvironment();
      const go = findGo(environment);
      if (go === undefined) return skip('Go is not available');
      const env = { PATH: environment['PATH'], HOME: home, GOCACHE: join(home, 'cache'), GO111MODULE: 'off' };
      const file = join(home, 'main.go');
      await writeFile(file, await sampleOf('go'));
      const token = await run(go, ['run', file, 'ledger', SCOPE], JSON.stringify(key), env);
      expect(await verify(token.trim())).toMatchObject(expected);
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  });
});
