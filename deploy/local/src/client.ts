import { existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readConfig } from './config.ts';
import { processEnvironment } from './environment.ts';
import { ensurePrivateKey, keyPaths, readPrivateKey } from './keys.ts';
import { reasonOf } from './report.ts';
import {
  newServiceClient,
  readPublicKey,
  readServiceClients,
  type ServiceClient,
  updateServiceClients,
  withClient,
} from './service-clients.ts';
import { CLIENTS, type Client } from './service-scopes.ts';

const USAGE = `usage: npm run client -- add NAME --key FILE --scope SCOPE … [--person]   registers a client, or changes its key and scopes
       npm run client -- remove NAME
       npm run client -- list

The calls of a --person need a reason and are recorded; a client that is a person stays one until it is removed.
FILE is the client's Ed25519 key, public or private, in JWK or PEM format. If it does not exist, a new private key is written to it.`;

type Options = { key?: string | undefined; scope?: string[] | undefined; person?: boolean | undefined };

/** `npm run client`: registers keys of external service clients. Changes take effect when the platform is started. */
const main = async (): Promise<string> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      key: { type: 'string' },
      scope: { type: 'string', multiple: true },
      person: { type: 'boolean' },
      'data-dir': { type: 'string' },
    },
  });
  const rootDir = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
  const dataDir = values['data-dir'] ?? readConfig(processEnvironment(), rootDir).dataDir;
  const keysDir = keyPaths(dataDir).directory;
  mkdirSync(keysDir, { recursive: true, mode: 0o700 });
  const [command, name, ...rest] = positionals;
  if (command === 'list' && name === undefined) return list(keysDir);
  if (command === 'add' && name !== undefined && rest.length === 0) return add(dataDir, name, values);
  if (command === 'remove' && name !== undefined && rest.length === 0) return remove(keysDir, name);
  throw new Error(USAGE);
};

/** The process of the platform that has the key of a client. Services reject a trust list in which one key has two names. */
const ownerOf = (dataDir: string, { key }: ServiceClient): Client | undefined => {
  const { keyFile } = keyPaths(dataDir);
  return CLIENTS.find((name) => existsSync(keyFile(name)) && readPrivateKey(keyFile(name)).x === key.x);
};

const add = async (dataDir: string, name: string, { key: keyFile, scope = [], person = false }: Options): Promise<string> => {
  if (keyFile === undefined) throw new Error(USAGE);
  const scopes = scope.flatMap((text) => text.split(/[\s,]+/)).filter((text) => text !== '');
  const isNew = !existsSync(keyFile);
  // Validated with a placeholder first, so that a rejected command leaves no key file behind.
  if (isNew) newServiceClient(name, { kty: 'OKP', crv: 'Ed25519', x: '' }, scopes);
  await ensurePrivateKey(keyFile, name);
  const client = newServiceClient(name, readPublicKey(keyFile), scopes);
  const owner = ownerOf(dataDir, client);
  if (owner !== undefined) throw new Error(`The key belongs to ${owner} already.`);
  await updateServiceClients(keyPaths(dataDir).directory, (clients) => withClient(clients, person ? { ...client, person } : client));
  return [
    ...(isNew ? [`Wrote a new private key to ${keyFile}.`] : []),
    `Registered ${name} with ${client.scopes.join(', ')}. It takes effect when the platform is started.`,
  ].join('\n');
};

const remove = async (keysDir: string, name: string): Promise<string> => {
  if (!readServiceClients(keysDir).some((client) => client.name === name)) throw new Error(`There is no client ${name}.`);
  await updateServiceClients(keysDir, (clients) => clients.filter((client) => client.name !== name));
  return `Removed ${name}. It takes effect when the platform is started.`;
};

const list = (keysDir: string): string =>
  readServiceClients(keysDir)
    .map(({ name, scopes, person }) => `${name}${person === true ? ' (person)' : ''}  ${scopes.join(', ')}`)
    .join('\n') || 'There are no registered clients.';

main().then(
  (text) => process.stdout.write(`${text}\n`),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : reasonOf(error)}\n`);
    process.exitCode = 1;
  },
);
