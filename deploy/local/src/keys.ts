import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ServiceKey, serviceKeySchema } from '@florin/rpc/auth';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { replaceFile, writeOnce } from './files/atomic-file.ts';
import { readServiceClients, type ServiceClient } from './service-clients.ts';
import { CLIENTS, type Client, clientScopes } from './service-scopes.ts';

export type PlatformKeys = {
  directory: string;
  /** Returns the path of a client's private key (JWK). */
  keyFile: (client: Client) => string;
  trustFile: string;
  identityMasterKeyFile: string;
  cardMasterKeyFile: string;
};

const MASTER_KEY_BYTES = 32;

/** Returns the paths of the keys in a data directory, whether they exist or not. */
export const keyPaths = (dataDir: string): PlatformKeys => {
  const directory = join(dataDir, 'keys');
  return {
    directory,
    keyFile: (client) => join(directory, `${client}.key.json`),
    trustFile: join(directory, 'service-trust.json'),
    identityMasterKeyFile: join(directory, 'identity-master.key'),
    cardMasterKeyFile: join(directory, 'card-master.key'),
  };
};

/**
 * Creates missing keys and keeps existing ones: data encrypted with a lost master key cannot be recovered. The trust file is written
 * anew by each call, from the platform's own keys, the scopes of this version and mode, and the registered clients.
 */
export const ensureKeys = async (dataDir: string, mode: { sandbox: boolean } = { sandbox: true }): Promise<PlatformKeys> => {
  const paths = keyPaths(dataDir);
  mkdirSync(paths.directory, { recursive: true, mode: 0o700 });
  chmodSync(paths.directory, 0o700);
  const scopes = clientScopes(mode);
  const own: ServiceClient[] = [];
  for (const name of CLIENTS) {
    const path = paths.keyFile(name);
    await ensurePrivateKey(path, name);
    const { d: _private, ...key } = readPrivateKey(path);
    own.push({ name, key, scopes: [...scopes[name]] });
  }
  for (const path of [paths.identityMasterKeyFile, paths.cardMasterKeyFile]) {
    if (!existsSync(path)) writeOnce(path, randomBytes(MASTER_KEY_BYTES).toString('base64url'));
  }
  const clients = [...own, ...readServiceClients(paths.directory)];
  replaceFile(paths.trustFile, `${JSON.stringify({ clients }, null, 2)}\n`);
  return paths;
};

/** Writes a new private Ed25519 key (JWK) unless the file exists. `kid` is the name of its owner. */
export const ensurePrivateKey = async (path: string, kid: string): Promise<void> => {
  if (!existsSync(path)) writeOnce(path, JSON.stringify(await newPrivateKey(kid)));
};

/** Reads a private key. @throws Error that names the file but never its content */
export const readPrivateKey = (path: string): ServiceKey => {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    throw new Error(`The key file ${path} is not valid JSON.`);
  }
  const key = serviceKeySchema.safeParse(value);
  if (!key.success) throw new Error(`The key file ${path} is not a private Ed25519 key (JWK with kid).`);
  return key.data;
};

const newPrivateKey = async (kid: string): Promise<JWK> => {
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  return { ...(await exportJWK(privateKey)), kid, alg: 'EdDSA' };
};
