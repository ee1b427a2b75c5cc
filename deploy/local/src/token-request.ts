import { ALL_SCOPES } from './service-scopes.ts';

export type TokenRequest = {
  service: string;
  scopes: string[];
  expiresInSeconds: number;
  /** The private key (JWK) that signs the token; undefined means the operator's key. */
  keyFile: string | undefined;
  dataDir: string | undefined;
};

const SERVICES = ['identity', 'card', 'ledger', 'threeds', 'vault', 'chain', 'events', 'settlement', 'notifications'];

/** Services reject tokens with a longer lifetime. */
const MAX_LIFETIME_SECONDS = 300;

/** Validates the command-line options of `npm run token`. @throws Error with a message for the user */
export const parseTokenRequest = (values: Record<string, string | string[] | undefined>): TokenRequest => {
  const { service, scope, key, 'expires-in': expiresIn, 'data-dir': dataDir } = values;
  if (typeof service !== 'string' || !SERVICES.includes(service)) {
    throw new Error(`--service must be one of ${SERVICES.join(', ')}.`);
  }
  const scopes = [scope ?? []]
    .flat()
    .flatMap((text) => text.split(/[\s,]+/))
    .filter((text) => text !== '');
  if (scopes.length === 0) throw new Error(`--scope is required. Allowed scopes: ${ALL_SCOPES.join(', ')}.`);
  const unknown = scopes.find((one) => !ALL_SCOPES.includes(one));
  if (unknown !== undefined) throw new Error(`Unknown scope ${unknown}. Allowed scopes: ${ALL_SCOPES.join(', ')}.`);
  const expiresInSeconds = expiresIn === undefined ? MAX_LIFETIME_SECONDS : Number(expiresIn);
  if (!Number.isInteger(expiresInSeconds) || expiresInSeconds < 1 || expiresInSeconds > MAX_LIFETIME_SECONDS) {
    throw new Error(`--expires-in must be between 1 and ${MAX_LIFETIME_SECONDS} seconds.`);
  }
  return { service, scopes, expiresInSeconds, keyFile: textOf(key), dataDir: textOf(dataDir) };
};

const textOf = (value: string | string[] | undefined): string | undefined => (typeof value === 'string' ? value : undefined);
