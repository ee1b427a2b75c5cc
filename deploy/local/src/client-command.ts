import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { IDENTITY_SCOPES } from '@florin/proto/identity/v1/scopes';
import { readConfig } from './config.ts';
import { ensurePrivateKey, keyPaths, publishClients, readPrivateKey } from './keys.ts';
import { createOperatorCall } from './operator-call.ts';
import { ROOT_DIR } from './run-main.ts';
import {
  clientsFile,
  newServiceClient,
  readPublicKey,
  readServiceClients,
  type ServiceClient,
  updateServiceClients,
  withClient,
  withoutClient,
} from './service-clients.ts';
import { CLIENTS, type Client } from './service-scopes.ts';

const USAGE = `usage: npm run client -- add NAME --key FILE --scope SCOPE … [--person] [--partner ID]   registers a client, or changes its key and scopes
       npm run client -- remove NAME
       npm run client -- list
       npm run client -- invite --partner ID [--scope SCOPE …]   prints a bootstrap token, with which a server of the partner registers its first key

The calls of a --person need a reason and are recorded; a client that is a person stays one until it is removed.
A client with a --partner is a server of that partner, and reaches only what is the partner's, until it is removed.
A bootstrap token is for POST /partners of the running platform, once, within seven days. Without --scope the key permits all that partners can have.
With --trust FILE, a command changes the SERVICE_TRUST of a deployment, saved as a file, instead of the platform of this machine.
FILE of --key is the client's Ed25519 key, public or private, in JWK or PEM format. If it does not exist, a new private key is written to it.`;

type Options = { key?: string | undefined; scope?: string[] | undefined; person?: boolean | undefined; partner?: string | undefined };

/** Where clients are registered. */
type Registry = {
  /** File with the clients. */
  path: string;
  /** The process of the platform that has the key of a client and is not in the file. Services reject a trust in which one key has two names. */
  ownerOf: (client: ServiceClient) => Client | undefined;
  /** When a change takes effect. */
  effect: string;
  /** Tells a running platform of a change. */
  changed: () => void;
};

const inDataDir = (dataDir: string): Registry => {
  const { directory, keyFile } = keyPaths(dataDir);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  return {
    path: clientsFile(directory),
    ownerOf: ({ key }) => CLIENTS.find((name) => existsSync(keyFile(name)) && readPrivateKey(keyFile(name)).x === key.x),
    effect: 'A running platform knows it within two seconds.',
    changed: () => publishClients(dataDir),
  };
};

/** The trust of a deployment contains the platform's own clients as well. @throws Error with a message for the user */
const inTrust = (path: string): Registry => {
  if (readServiceClients(path).length === 0) throw new Error(`${path} must contain the SERVICE_TRUST of the deployment.`);
  return {
    path,
    ownerOf: () => undefined,
    effect:
      'Services that read the file as SERVICE_TRUST_FILE know it within two seconds of its arrival there; others, when they are started with it.',
    changed: () => undefined,
  };
};

/** `npm run client -- …`: registers keys of external service clients. @returns the text to print. @throws Error with a message for the user */
export const runClientCommand = async (args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> => {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      key: { type: 'string' },
      scope: { type: 'string', multiple: true },
      person: { type: 'boolean' },
      partner: { type: 'string' },
      'data-dir': { type: 'string' },
      trust: { type: 'string' },
    },
  });
  const { trust } = values;
  const dataDir = () => values['data-dir'] ?? readConfig(env, ROOT_DIR).dataDir;
  const [command, name, ...rest] = positionals;
  if (command === 'invite' && name === undefined && trust === undefined) return invite(dataDir(), values);
  const registry = trust === undefined ? inDataDir(dataDir()) : inTrust(trust);
  if (command === 'list' && name === undefined) return list(registry);
  if (command === 'add' && name !== undefined && rest.length === 0) return add(registry, name, values);
  if (command === 'remove' && name !== undefined && rest.length === 0) return remove(registry, name);
  throw new Error(USAGE);
};

const scopesIn = (given: readonly string[]): string[] => given.flatMap((text) => text.split(/[\s,]+/)).filter((text) => text !== '');

const add = async (
  { path, ownerOf, effect, changed }: Registry,
  name: string,
  { key: keyFile, scope = [], person = false, partner }: Options,
): Promise<string> => {
  if (keyFile === undefined) throw new Error(USAGE);
  const scopes = scopesIn(scope);
  const isNew = !existsSync(keyFile);
  // Validated with a placeholder first, so that a rejected command leaves no key file behind.
  if (isNew) newServiceClient(name, { kty: 'OKP', crv: 'Ed25519', x: '' }, scopes, partner);
  await ensurePrivateKey(keyFile, name);
  const client = newServiceClient(name, readPublicKey(keyFile), scopes, partner);
  const owner = ownerOf(client);
  if (owner !== undefined) throw new Error(`The key belongs to ${owner} already.`);
  await updateServiceClients(path, (clients) => withClient(clients, person ? { ...client, person } : client), changed);
  return [
    ...(isNew ? [`Wrote a new private key to ${keyFile}.`] : []),
    `Registered ${name} with ${client.scopes.join(', ')}. ${effect}`,
  ].join('\n');
};

const remove = async ({ path, effect, changed }: Registry, name: string): Promise<string> => {
  await updateServiceClients(path, (clients) => withoutClient(clients, name), changed);
  return `Removed ${name}. ${effect}`;
};

const invite = async (dataDir: string, { scope = [], partner }: Options): Promise<string> => {
  if (partner === undefined) throw new Error(USAGE);
  const call = createOperatorCall(dataDir, 'identity', [IDENTITY_SCOPES.invitePartners]);
  const request = { requestId: randomUUID(), partnerId: partner, scopes: scopesIn(scope) };
  const { bootstrapToken } = await call<{ bootstrapToken: string }>(
    'florin.identity.v1.PartnerClientService/CreatePartnerInvitation',
    request,
  );
  return bootstrapToken;
};

const list = ({ path }: Registry): string =>
  readServiceClients(path)
    .map(({ name, scopes, person, partnerId }) => {
      const notes = [...(person === true ? [' (person)'] : []), ...(partnerId === undefined ? [] : [` (partner ${partnerId})`])];
      return `${name}${notes.join('')}  ${scopes.join(', ')}`;
    })
    .join('\n') || 'There are no registered clients.';
