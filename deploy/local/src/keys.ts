import { createECDH, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ServiceKey, serviceKeySchema } from '@florin/rpc/auth';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { replaceFile, writeOnce } from './files/atomic-file.ts';
import { clientsFile, readServiceClients, type ServiceClient } from './service-clients.ts';
import { CLIENTS, type Client, clientScopes } from './service-scopes.ts';

export type PlatformKeys = {
  directory: string;
  /** Returns the path of a client's private key (JWK). */
  keyFile: (client: Client) => string;
  trustFile: string;
  /** Keys that encrypt identity's secrets. */
  identityMasterKeysFile: string;
  /** Key-encryption keys of the vault. */
  vaultMasterKeysFile: string;
  /** Returns the paths of the keys that encrypt a service's fields, and by which they are found. */
  fieldKeyFiles: (service: FieldService) => { keys: string; hashKey: string };
  /** Private key (JWK) that signs heads of the ledger's journal. */
  ledgerHeadKeyFile: string;
  /** Private key (JWK) that signs closed days of settlement. */
  settlementKeyFile: string;
  /** Private key of Web Push. */
  vapidKeyFile: string;
  /** Passwords of the users of Redis. */
  redisPasswordsFile: string;
};

/** Services that store encrypted fields. */
const FIELD_SERVICES = ['identity', 'card', 'events', 'notifications'] as const;
type FieldService = (typeof FIELD_SERVICES)[number];

/** The service whose encrypted fields a process reads; the one that delivers webhooks shares the database of events. */
export const fieldServiceOf = (name: string): FieldService | undefined =>
  name === 'webhooks' ? 'events' : FIELD_SERVICES.find((service) => service === name);

const MASTER_KEY_BYTES = 32;

const newMasterKey = (): string => randomBytes(MASTER_KEY_BYTES).toString('base64url');

/** The first version of keys that can be rotated. */
const newVersionedKeys = (): string => JSON.stringify([{ id: '1', key: newMasterKey() }]);

/** A private key of the curve P-256, in base64url. */
const newVapidKey = (): string => {
  const key = createECDH('prime256v1');
  key.generateKeys();
  // Without leading zeros, which Node.js leaves out.
  return Buffer.concat([Buffer.alloc(MASTER_KEY_BYTES), key.getPrivateKey()])
    .subarray(-MASTER_KEY_BYTES)
    .toString('base64url');
};

/** Returns the paths of the keys in a data directory, whether they exist or not. */
export const keyPaths = (dataDir: string): PlatformKeys => {
  const directory = join(dataDir, 'keys');
  return {
    directory,
    keyFile: (client) => join(directory, `${client}.key.json`),
    trustFile: join(directory, 'service-trust.json'),
    identityMasterKeysFile: join(directory, 'identity-master.keys.json'),
    vaultMasterKeysFile: join(directory, 'vault-master.keys.json'),
    fieldKeyFiles: (service) => ({
      keys: join(directory, `${service}-fields.keys.json`),
      hashKey: join(directory, `${service}-field-hash.key`),
    }),
    ledgerHeadKeyFile: join(directory, 'ledger-head.key.json'),
    settlementKeyFile: join(directory, 'settlement-days.key.json'),
    vapidKeyFile: join(directory, 'vapid.key'),
    redisPasswordsFile: join(directory, 'redis-passwords.json'),
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
  if (!existsSync(paths.identityMasterKeysFile)) writeOnce(paths.identityMasterKeysFile, newVersionedKeys());
  if (!existsSync(paths.vaultMasterKeysFile)) writeOnce(paths.vaultMasterKeysFile, newVersionedKeys());
  for (const { keys, hashKey } of FIELD_SERVICES.map(paths.fieldKeyFiles)) {
    if (!existsSync(keys)) writeOnce(keys, newVersionedKeys());
    if (!existsSync(hashKey)) writeOnce(hashKey, newMasterKey());
  }
  if (!existsSync(paths.vapidKeyFile)) writeOnce(paths.vapidKeyFile, newVapidKey());
  await ensurePrivateKey(paths.settlementKeyFile, 'settlement-days');
  const clients = [...own, ...readServiceClients(clientsFile(paths.directory))];
  if (!existsSync(paths.ledgerHeadKeyFile)) writeOnce(paths.ledgerHeadKeyFile, JSON.stringify(await newPrivateKey('ledger-head')));
  replaceFile(paths.trustFile, `${JSON.stringify({ clients }, null, 2)}\n`);
  return paths;
};

/** Writes the registered clients into the trust file of a platform that was started before, beside its own: the processes that serve read it again. */
export const publishClients = (dataDir: string): void => {
  const { trustFile, directory } = keyPaths(dataDir);
  if (!existsSync(trustFile)) return;
  const own = readServiceClients(trustFile).filter(({ name }) => (CLIENTS as readonly string[]).includes(name));
  const clients = [...own, ...readServiceClients(clientsFile(directory))];
  replaceFile(trustFile, `${JSON.stringify({ clients }, null, 2)}\n`);
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
