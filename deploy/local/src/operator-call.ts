import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { signServiceToken } from '@florin/rpc/auth';
import { createLogger } from '@florin/rpc/observe';
import { createPlatformFetch, openTls, type PlatformFetch } from '@florin/rpc/tls';
import { certificateFiles } from './certificates.ts';
import { type ProcessName, readConfig } from './config.ts';
import { keyPaths, readPrivateKey } from './keys.ts';
import { readPlatformUrls } from './platform-urls.ts';

/** A `fetch` for the operator's commands: with the operator's certificate where the service at `url` speaks TLS. */
const operatorFetch = (dataDir: string, url: string): PlatformFetch => {
  if (!url.startsWith('https:')) return createPlatformFetch(undefined);
  const { cert, key, ca } = certificateFiles(dataDir, 'operator');
  return createPlatformFetch(openTls({ TLS_CERT: cert, TLS_KEY: key, TLS_CA: ca }, createLogger('operator', 'silent')));
};

const TIMEOUT_MS = 60_000;

/** Calls an RPC of a service, over the Connect protocol, which is plain JSON over HTTP and omits default values. */
export type OperatorCall = <R>(rpc: string, request: object) => Promise<R>;

/**
 * Makes calls to a service of the running platform with the operator's key. The `rpc` of a call is `<package>.<service>/<method>`.
 * @param address of the service; default: where the running platform has it
 * @throws Error with a message for the operator, here and in each call
 */
export const createOperatorCall = (dataDir: string, service: ProcessName, scopes: readonly string[], address?: string): OperatorCall => {
  const path = keyPaths(dataDir).keyFile('operator');
  if (!existsSync(path))
    throw new Error(`There are no keys in ${dirname(path)}. Start the platform once with \`npm start\` to create them.`);
  const url = address ?? readPlatformUrls(dataDir)[service];
  if (url === undefined) throw new Error(`${service} is not part of the running platform.`);
  const platformFetch = operatorFetch(dataDir, url);
  const key = readPrivateKey(path);
  return async <R>(rpc: string, request: object): Promise<R> => {
    const token = await signServiceToken({ key, audience: service, scopes: [...scopes] });
    const response = await platformFetch(new URL(`/${rpc}`, url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(request),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch((cause: unknown) => {
      throw new Error(`No response from ${service} at ${url}. Start the platform first.`, { cause });
    });
    const body = (await response.json()) as R & { message?: string };
    if (!response.ok)
      throw new Error(`${service} rejected the request with status ${response.status}: ${body.message ?? 'no reason given'}.`);
    return body;
  };
};

/** The same on the platform that was started last with this environment. @throws ConfigError */
export const lastOperatorCall = (env: NodeJS.ProcessEnv, rootDir: string, service: ProcessName, scopes: readonly string[]): OperatorCall =>
  createOperatorCall(readConfig(env, rootDir).dataDir, service, scopes);
