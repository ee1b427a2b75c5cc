import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { IDENTITY_SCOPES } from '@florin/proto/identity/v1/scopes';
import { signServiceToken } from '@florin/rpc/auth';
import { readConfig } from './config.ts';
import { processEnvironment } from './environment.ts';
import { keyPaths, readPrivateKey } from './keys.ts';
import { readPlatformUrls } from './platform-urls.ts';
import { reasonOf } from './report.ts';

const TIMEOUT_MS = 10_000;

/** `npm run rotate-keys`: creates the next signing key for access tokens on the running platform and prints when it takes effect. */
const main = async (): Promise<string> => {
  const rootDir = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
  const { values } = parseArgs({ options: { url: { type: 'string' }, 'data-dir': { type: 'string' } } });
  const dataDir = values['data-dir'] ?? readConfig(processEnvironment(), rootDir).dataDir;
  const path = keyPaths(dataDir).keyFile('operator');
  if (!existsSync(path))
    throw new Error(`There are no keys in ${dirname(path)}. Start the platform once with \`npm start\` to create them.`);
  const identityUrl = values.url ?? readPlatformUrls(dataDir).identity;
  const token = await signServiceToken({ key: readPrivateKey(path), audience: 'identity', scopes: [IDENTITY_SCOPES.rotateKeys] });
  const { kid, signsFrom } = await rotate(identityUrl, token);
  return `Key ${kid} is published and signs new tokens from ${signsFrom}. The previous key is removed when its last token has expired.`;
};

/** Calls the RPC over the Connect protocol, which is plain JSON over HTTP. */
const rotate = async (identityUrl: string, token: string): Promise<{ kid: string; signsFrom: string }> => {
  const url = new URL('/florin.identity.v1.KeyService/RotateSigningKey', identityUrl);
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const response = await fetch(url, { method: 'POST', headers, body: '{}', signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(
    () => undefined,
  );
  if (response === undefined)
    throw new Error(`No response from identity at ${identityUrl}. Start the platform, or give the address with --url.`);
  const body = (await response.json()) as { kid?: string; signsFrom?: string; message?: string };
  if (!response.ok || body.kid === undefined || body.signsFrom === undefined) {
    throw new Error(`Identity rejected the request with status ${response.status}: ${body.message ?? 'no reason given'}.`);
  }
  return { kid: body.kid, signsFrom: body.signsFrom };
};

main().then(
  (line) => process.stdout.write(`${line}\n`),
  (error: unknown) => {
    process.stderr.write(`${reasonOf(error)}\n`);
    process.exitCode = 1;
  },
);
