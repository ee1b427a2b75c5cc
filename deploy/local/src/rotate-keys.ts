import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { IDENTITY_SCOPES } from '@florin/proto/identity/v1/scopes';
import { signServiceToken } from '@florin/rpc/auth';
import { readConfig } from './config.ts';
import { processEnvironment } from './environment.ts';
import { keyPaths, readPrivateKey } from './keys.ts';
import { reasonOf } from './report.ts';

const TIMEOUT_MS = 10_000;

/** `npm run rotate-keys`: makes the next signing key of access tokens on the running platform, and says when it begins to sign. */
async function main(): Promise<string> {
  const rootDir = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
  const { values } = parseArgs({ options: { url: { type: 'string' }, 'data-dir': { type: 'string' } } });
  const config = readConfig(processEnvironment(), rootDir);
  const path = keyPaths(values['data-dir'] ?? config.dataDir).keyFile('operator');
  if (!existsSync(path)) throw new Error(`There are no keys in ${dirname(path)}: start the platform once with \`npm start\`.`);
  const identityUrl = values.url ?? `http://127.0.0.1:${config.ports.identity}`;
  const token = await signServiceToken({ key: readPrivateKey(path), audience: 'identity', scopes: [IDENTITY_SCOPES.rotateKeys] });
  const { kid, signsFrom } = await rotate(identityUrl, token);
  return `Key ${kid} is published and signs from ${signsFrom} on; the one before it goes when its last token has expired.`;
}

/** The RPC over the Connect protocol: plain JSON, no client needed. */
async function rotate(identityUrl: string, token: string): Promise<{ kid: string; signsFrom: string }> {
  const url = new URL('/florin.identity.v1.KeyService/RotateSigningKey', identityUrl);
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const answer = await fetch(url, { method: 'POST', headers, body: '{}', signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(() => undefined);
  if (answer === undefined) throw new Error(`Identity does not answer at ${identityUrl}: start the platform, or name it with --url.`);
  const body = (await answer.json()) as { kid?: string; signsFrom?: string; message?: string };
  if (!answer.ok || body.kid === undefined || body.signsFrom === undefined) {
    throw new Error(`Identity refused with ${answer.status}: ${body.message ?? 'no reason'}.`);
  }
  return { kid: body.kid, signsFrom: body.signsFrom };
}

main().then(
  (line) => process.stdout.write(`${line}\n`),
  (error: unknown) => {
    process.stderr.write(`${reasonOf(error)}\n`);
    process.exitCode = 1;
  },
);
