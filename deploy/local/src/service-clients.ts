import { createPrivateKey, createPublicKey, type JsonWebKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PARTNER_SCOPES } from '@florin/proto/events/v1/scopes';
import { partnerIdSchema, type ServiceTrust, serviceTrustSchema } from '@florin/rpc/auth';
import { replaceFile } from './files/atomic-file.ts';
import { waitForLock } from './files/lock-file.ts';
import { ALL_SCOPES, CLIENTS } from './service-scopes.ts';

/** A client outside the platform: its name, its public Ed25519 key (JWK) and the scopes that it may request. */
export type ServiceClient = ServiceTrust['clients'][number];

const NAME = /^[a-z][a-z0-9-]{0,62}$/;

/** Path of the clients that are registered in a data directory, by the directory of its keys. */
export const clientsFile = (keysDir: string): string => join(keysDir, 'clients.json');

/** Returns the clients of a file, none if there is no file. @throws Error that names an invalid file */
export const readServiceClients = (path: string): ServiceClient[] => {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  try {
    return serviceTrustSchema.parse(JSON.parse(text)).clients;
  } catch (cause) {
    throw new Error(`The client file ${path} is not valid.`, { cause });
  }
};

/**
 * Applies `change` to the clients of a file. Concurrent changes are applied one after the other.
 * @param changed called before the next change
 */
export const updateServiceClients = async (
  path: string,
  change: (clients: ServiceClient[]) => ServiceClient[],
  changed: () => void = () => undefined,
): Promise<void> => {
  const lock = await waitForLock(`${path}.lock`, () => undefined);
  try {
    replaceFile(path, `${JSON.stringify({ clients: change(readServiceClients(path)) }, null, 2)}\n`);
    changed();
  } finally {
    lock.release();
  }
};

/**
 * The clients with one that is added or changed. Changing the key or the scopes of a person's client does not end the recording of its
 * calls, nor does it free a partner's client of its partner, and one key has one name, so that two clients are not the same person.
 * @throws Error with a message for the user
 */
export const withClient = (clients: readonly ServiceClient[], client: ServiceClient): ServiceClient[] => {
  const others = clients.filter(({ name }) => name !== client.name);
  const twin = others.find(({ key }) => key.x === client.key.x);
  if (twin !== undefined) throw new Error(`The key belongs to ${twin.name} already.`);
  const before = clients.find(({ name }) => name === client.name);
  if (before !== undefined && client.partnerId !== undefined && before.partnerId !== client.partnerId) {
    throw new Error(`${client.name} is not a client of ${client.partnerId}. Remove it first.`);
  }
  const partnerId = client.partnerId ?? before?.partnerId;
  if (partnerId !== undefined) requirePartnerScopes(client.scopes);
  const kept = {
    ...(before?.person === true ? { person: true } : {}),
    ...(partnerId === undefined ? {} : { partnerId }),
  };
  return [...others, { ...client, ...kept }];
};

/** The clients without one of them. @throws Error with a message for the user */
export const withoutClient = (clients: readonly ServiceClient[], name: string): ServiceClient[] => {
  if (isOwnName(name)) throw new Error(`${name} is one of the platform's own clients.`);
  if (!clients.some((client) => client.name === name)) throw new Error(`There is no client ${name}.`);
  return clients.filter((client) => client.name !== name);
};

const isOwnName = (name: string): boolean => CLIENTS.some((client) => client === name);

/** @throws Error with a message for the user */
const requirePartnerScopes = (scopes: readonly string[]): void => {
  const excess = scopes.find((scope) => !PARTNER_SCOPES.includes(scope));
  if (excess === undefined) return;
  throw new Error(`A client of a partner must not have ${excess}. Allowed scopes: ${PARTNER_SCOPES.join(', ')}.`);
};

/** Validates a client. @throws Error with a message for the user */
export const newServiceClient = (name: string, key: JsonWebKey, scopes: readonly string[], partnerId?: string): ServiceClient => {
  if (!NAME.test(name)) throw new Error('NAME must be 1 to 63 lower-case letters, digits and hyphens, starting with a letter.');
  if (isOwnName(name)) throw new Error(`${name} is the name of one of the platform's own clients.`);
  if (scopes.length === 0) throw new Error(`--scope is required. Allowed scopes: ${ALL_SCOPES.join(', ')}.`);
  const unknown = scopes.find((scope) => !ALL_SCOPES.includes(scope));
  if (unknown !== undefined) throw new Error(`Unknown scope ${unknown}. Allowed scopes: ${ALL_SCOPES.join(', ')}.`);
  const { kty, crv, x = '' } = key;
  if (kty !== 'OKP' || crv !== 'Ed25519') throw new Error('The key must be an Ed25519 key.');
  if (partnerId !== undefined && !partnerIdSchema.safeParse(partnerId).success) {
    throw new Error('--partner must be 1 to 40 lower-case letters, digits and hyphens.');
  }
  if (partnerId !== undefined) requirePartnerScopes(scopes);
  const client: ServiceClient = { name, key: { kty, crv, x, kid: name, alg: 'EdDSA' }, scopes: [...new Set(scopes)] };
  return partnerId === undefined ? client : { ...client, partnerId };
};

/**
 * Reads the public part of an Ed25519 key, public or private, in JWK (RFC 8037) or PEM format.
 * @throws Error that names the file but never its content
 */
export const readPublicKey = (path: string): JsonWebKey => {
  const text = readFileSync(path, 'utf8').trim();
  try {
    if (text.startsWith('{')) return publicJwk(JSON.parse(text) as JsonWebKey);
    const isPrivate = text.includes('PRIVATE KEY');
    return (isPrivate ? createPublicKey(createPrivateKey(text)) : createPublicKey(text)).export({ format: 'jwk' });
  } catch {
    throw new Error(`${path} is not an Ed25519 key in JWK or PEM format.`);
  }
};

/** Node verifies that the members form a key. */
const publicJwk = ({ kty, crv, x }: JsonWebKey): JsonWebKey =>
  createPublicKey({ key: { kty, crv, x } as JsonWebKey, format: 'jwk' }).export({ format: 'jwk' });
