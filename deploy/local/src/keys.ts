import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { replaceFile, writeOnce } from './files/atomic-file.ts';
import { CLIENT_SCOPES, CLIENTS, type Client } from './service-scopes.ts';

export type PlatformKeys = {
  directory: string;
  /** The private key (JWK) of a client. */
  keyFile(client: Client): string;
  trustFile: string;
  identityMasterKeyFile: string;
  cardMasterKeyFile: string;
  /** Private key (JWK) that signs heads of the ledger's journal. */
  ledgerHeadKeyFile: string;
};

const MASTER_KEY_BYTES = 32;

/** Where the keys of a data directory are, whether they exist or not. */
export function keyPaths(dataDir: string): PlatformKeys {
  const directory = join(dataDir, 'keys');
  return {
    directory,
    keyFile: (client) => join(directory, `${client}.key.json`),
    trustFile: join(directory, 'service-trust.json'),
    identityMasterKeyFile: join(directory, 'identity-master.key'),
    cardMasterKeyFile: join(directory, 'card-master.key'),
    ledgerHeadKeyFile: join(directory, 'ledger-head.key.json'),
  };
}

/**
 * Makes the keys that are missing and keeps those that are there: what was encrypted with a master key is lost without it.
 * The trust file is written anew each time, as new versions bring new scopes.
 */
export async function ensureKeys(dataDir: string): Promise<PlatformKeys> {
  const paths = keyPaths(dataDir);
  mkdirSync(paths.directory, { recursive: true, mode: 0o700 });
  chmodSync(paths.directory, 0o700);
  const clients: { name: Client; key: JWK; scopes: readonly string[] }[] = [];
  for (const name of CLIENTS) {
    const path = paths.keyFile(name);
    if (!existsSync(path)) writeOnce(path, JSON.stringify(await newPrivateKey(name)));
    clients.push({ name, key: publicPart(readPrivateKey(path)), scopes: CLIENT_SCOPES[name] });
  }
  for (const path of [paths.identityMasterKeyFile, paths.cardMasterKeyFile]) {
    if (!existsSync(path)) writeOnce(path, randomBytes(MASTER_KEY_BYTES).toString('base64url'));
  }
  if (!existsSync(paths.ledgerHeadKeyFile)) writeOnce(paths.ledgerHeadKeyFile, JSON.stringify(await newPrivateKey('ledger-head')));
  replaceFile(paths.trustFile, `${JSON.stringify({ clients }, null, 2)}\n`);
  return paths;
}

export type PrivateKey = { kty: 'OKP'; crv: 'Ed25519'; x: string; d: string; kid: string; alg: 'EdDSA' };

/** @throws Error that names the file, never its content */
export function readPrivateKey(path: string): PrivateKey {
  let key: Partial<PrivateKey>;
  try {
    key = JSON.parse(readFileSync(path, 'utf8')) as Partial<PrivateKey>;
  } catch {
    throw new Error(`The key file ${path} cannot be read as JSON.`);
  }
  const { x, d, kid } = key;
  if (key.kty !== 'OKP' || key.crv !== 'Ed25519' || typeof x !== 'string' || typeof d !== 'string' || typeof kid !== 'string') {
    throw new Error(`The key file ${path} holds no Ed25519 private key.`);
  }
  return { kty: 'OKP', crv: 'Ed25519', x, d, kid, alg: 'EdDSA' };
}

async function newPrivateKey(kid: string): Promise<JWK> {
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  return { ...(await exportJWK(privateKey)), kid, alg: 'EdDSA' };
}

function publicPart({ kty, crv, x, kid, alg }: PrivateKey): JWK {
  return { kty, crv, x, kid, alg };
}
