import { CLIENT_SCOPES } from './service-scopes.ts';

export type TokenRequest = { service: string; scopes: string[]; expiresInSeconds: number; dataDir: string | undefined };

const SERVICES = ['identity', 'card', 'ledger', 'threeds'];

/** Services refuse tokens that live longer. */
const MAX_LIFETIME_SECONDS = 300;

/** Checks what was asked for on the command line. @throws Error, one sentence */
export function parseTokenRequest(values: Record<string, string | string[] | undefined>): TokenRequest {
  const { service, scope, 'expires-in': expiresIn, 'data-dir': dataDir } = values;
  if (typeof service !== 'string' || !SERVICES.includes(service)) {
    throw new Error(`--service must be one of ${SERVICES.join(', ')}.`);
  }
  const scopes = [scope ?? []]
    .flat()
    .flatMap((text) => text.split(/[\s,]+/))
    .filter((text) => text !== '');
  const allowed = CLIENT_SCOPES.operator;
  if (scopes.length === 0) throw new Error(`--scope is missing; the operator may ask for ${allowed.join(', ')}.`);
  for (const one of scopes) {
    if (!allowed.includes(one)) throw new Error(`The operator may not ask for ${one}, only for ${allowed.join(', ')}.`);
  }
  const expiresInSeconds = expiresIn === undefined ? MAX_LIFETIME_SECONDS : Number(expiresIn);
  if (!Number.isInteger(expiresInSeconds) || expiresInSeconds < 1 || expiresInSeconds > MAX_LIFETIME_SECONDS) {
    throw new Error(`--expires-in must be from 1 to ${MAX_LIFETIME_SECONDS} seconds.`);
  }
  return { service, scopes, expiresInSeconds, dataDir: typeof dataDir === 'string' ? dataDir : undefined };
}
