import { readFileSync } from 'node:fs';
import { type ServiceTrust, serviceTrustSchema } from '@florin/rpc/auth';
import { ConfigError } from './config.ts';
import { type PlatformKeys, readPrivateKey } from './keys.ts';
import { CLIENTS } from './service-scopes.ts';

/**
 * Verifies that a trust file of the user (`SERVICE_TRUST` or `SERVICE_TRUST_FILE`), which replaces the generated one, contains the keys
 * of the platform's own processes. Otherwise every call between them would fail with UNAUTHORIZED.
 * @throws ConfigError
 */
export const requireOwnClients = (env: NodeJS.ProcessEnv, keys: PlatformKeys): void => {
  const [variable, text] = userTrust(env);
  if (text === undefined) return;
  const trust = parseTrust(variable, text);
  for (const name of CLIENTS) {
    if (name === 'operator') continue;
    const { x } = readPrivateKey(keys.keyFile(name));
    if (trust.clients.some((client) => client.name === name && client.key.x === x)) continue;
    throw new ConfigError(`${variable} must contain the key of ${name}, as ${keys.trustFile} does.`);
  }
};

const userTrust = (env: NodeJS.ProcessEnv): [variable: string, text: string | undefined] => {
  const { SERVICE_TRUST: text, SERVICE_TRUST_FILE: file } = env;
  if (text !== undefined && text !== '') return ['SERVICE_TRUST', text];
  if (file === undefined || file === '') return ['SERVICE_TRUST_FILE', undefined];
  try {
    return ['SERVICE_TRUST_FILE', readFileSync(file, 'utf8')];
  } catch {
    throw new ConfigError('SERVICE_TRUST_FILE must name a readable file.');
  }
};

const parseTrust = (variable: string, text: string): ServiceTrust => {
  try {
    return serviceTrustSchema.parse(JSON.parse(text));
  } catch {
    throw new ConfigError(`${variable} must be {"clients":[{"name","key","scopes"}]}.`);
  }
};
