import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { IDENTITY_SCOPES } from '@florin/proto/identity/v1/scopes';
import { signServiceToken } from '@florin/rpc/auth';
import { readConfig } from './config.ts';
import { processEnvironment } from './environment.ts';
import { keyPaths, readPrivateKey } from './keys.ts';
import { operatorFetch } from './operator-fetch.ts';
import { readPlatformUrls } from './platform-urls.ts';
import { reasonOf } from './report.ts';

/** A revocation takes five seconds. */
const TIMEOUT_MS = 30_000;

/**
 * `npm run rotate-keys`: creates the next signing key for access tokens on the running platform and prints when it takes effect.
 * `npm run rotate-keys -- --revoke KID`: revokes a key that may have leaked; its tokens are refused at once.
 */
const main = async (): Promise<string> => {
  const rootDir = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
  const { values } = parseArgs({ options: { url: { type: 'string' }, 'data-dir': { type: 'string' }, revoke: { type: 'string' } } });
  const dataDir = values['data-dir'] ?? readConfig(processEnvironment(), rootDir).dataDir;
  const path = keyPaths(dataDir).keyFile('operator');
  if (!existsSync(path))
    throw new Error(`There are no keys in ${dirname(path)}. Start the platform once with \`npm start\` to create them.`);
  const identityUrl = values.url ?? readPlatformUrls(dataDir).identity;
  const scopes = [values.revoke === undefined ? IDENTITY_SCOPES.rotateKeys : IDENTITY_SCOPES.revokeKeys];
  const token = await signServiceToken({ key: readPrivateKey(path), audience: 'identity', scopes });
  if (values.revoke !== undefined) {
    const { signingKid } = await call({ identityUrl, dataDir }, token, 'RevokeSigningKey', { kid: values.revoke }, ['signingKid']);
    return `Key ${values.revoke} is revoked: its tokens are refused. Key ${signingKid} signs. Sessions continue with their next refresh.`;
  }
  const { kid, signsFrom } = await call({ identityUrl, dataDir }, token, 'RotateSigningKey', {}, ['kid', 'signsFrom']);
  return `Key ${kid} is published and signs new tokens from ${signsFrom}. The previous key is removed when its last token has expired.`;
};

/** Calls an RPC over the Connect protocol, which is plain JSON over HTTP. @returns the named fields of the response */
const call = async <F extends string>(
  { identityUrl, dataDir }: { identityUrl: string; dataDir: string },
  token: string,
  rpc: string,
  request: object,
  fields: readonly F[],
): Promise<Record<F, string>> => {
  const url = new URL(`/florin.identity.v1.KeyService/${rpc}`, identityUrl);
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const options = { method: 'POST', headers, body: JSON.stringify(request), signal: AbortSignal.timeout(TIMEOUT_MS) };
  const response = await operatorFetch(dataDir, identityUrl)(url, options).catch(() => undefined);
  if (response === undefined)
    throw new Error(`No response from identity at ${identityUrl}. Start the platform, or give the address with --url.`);
  const body = (await response.json()) as Partial<Record<F, string>> & { message?: string };
  if (!response.ok || fields.some((field) => body[field] === undefined)) {
    throw new Error(`Identity rejected the request with status ${response.status}: ${body.message ?? 'no reason given'}.`);
  }
  return body as Record<F, string>;
};

main().then(
  (line) => process.stdout.write(`${line}\n`),
  (error: unknown) => {
    process.stderr.write(`${reasonOf(error)}\n`);
    process.exitCode = 1;
  },
);
