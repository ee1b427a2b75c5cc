import { createLocalJWKSet, importJWK, jwtVerify, SignJWT } from 'jose';
import { CodedError } from '../errors/index.ts';
import type { ServiceCaller } from './caller.ts';
import { rememberVerified, type Verified } from './remember-verified.ts';
import type { ServiceKey, ServiceTrust } from './service-keys.ts';

export const SERVICE_TOKEN_TYPE = 'florin-service+jwt';

/** Services refuse tokens that live longer: a leaked one is worth little. */
const MAX_LIFETIME_SECONDS = 300;

export type SignServiceTokenOptions = {
  /** Private key of the caller; its `kid` becomes the issuer. */
  key: ServiceKey;
  /** Name of the service to be called. */
  audience: string;
  scopes: readonly string[];
  /** At most 300, the default. */
  expiresInSeconds?: number;
};

/** Signs the caller's own assertion, as RFC 7523 clients do: the key stays with the caller, the service knows its public half. */
export const signServiceToken = async (options: SignServiceTokenOptions): Promise<string> => {
  const { key, audience, scopes, expiresInSeconds = MAX_LIFETIME_SECONDS } = options;
  if (!Number.isInteger(expiresInSeconds) || expiresInSeconds < 1 || expiresInSeconds > MAX_LIFETIME_SECONDS) {
    throw new RangeError(`expiresInSeconds must be an integer from 1 to ${MAX_LIFETIME_SECONDS}`);
  }
  // One reading of the clock: with two, a second that ends in between makes the token live longer than verifiers allow.
  const issuedAt = Math.floor(Date.now() / 1000);
  return new SignJWT({ scope: scopes.join(' ') })
    .setProtectedHeader({ alg: 'EdDSA', kid: key.kid, typ: SERVICE_TOKEN_TYPE })
    .setIssuer(key.kid)
    .setSubject(key.kid)
    .setAudience(audience)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + expiresInSeconds)
    .sign(await importJWK(key, 'EdDSA'));
};

export type ServiceTokenSource = () => Promise<string>;

/** A source of tokens for calls to one service, each token used until shortly before its end. */
export const createServiceTokenSource = (options: Omit<SignServiceTokenOptions, 'expiresInSeconds'>): ServiceTokenSource => {
  const renewAfterMs = (MAX_LIFETIME_SECONDS - 60) * 1000;
  let current: { token: Promise<string>; renewAt: number } | undefined;
  return () => {
    const now = Date.now();
    if (current === undefined || now >= current.renewAt) {
      const token = signServiceToken(options);
      current = { token, renewAt: now + renewAfterMs };
      token.catch(() => {
        current = undefined;
      });
    }
    return current.token;
  };
};

export type ServiceTokenVerifier = (token: string) => Promise<ServiceCaller>;

/**
 * Verifies service tokens addressed to `audience`: signature by a trusted client's key, issuer equal to the key's owner,
 * lifetime, and scopes no wider than the trust grants.
 * @throws CodedError UNAUTHORIZED
 */
export const createServiceTokenVerifier = (audience: string, trust: ServiceTrust): ServiceTokenVerifier => {
  const keys = createLocalJWKSet({ keys: trust.clients.map(({ name, key }) => ({ ...key, kid: name })) });
  const clients = new Map(trust.clients.map(({ name, scopes, person }) => [name, { granted: new Set(scopes), person: person === true }]));
  const verify = async (token: string): Promise<Verified<ServiceCaller>> => {
    try {
      const { payload, protectedHeader } = await jwtVerify(token, keys, {
        algorithms: ['EdDSA'],
        audience,
        typ: SERVICE_TOKEN_TYPE,
        maxTokenAge: MAX_LIFETIME_SECONDS,
        clockTolerance: 5,
        requiredClaims: ['iss', 'sub', 'exp', 'iat', 'scope'],
      });
      const name = protectedHeader.kid;
      const client = name === undefined ? undefined : clients.get(name);
      if (name === undefined || client === undefined || payload.iss !== name || payload.sub !== name) {
        throw new Error('issuer does not own the key');
      }
      const { exp = Number.POSITIVE_INFINITY, iat = 0, scope } = payload;
      if (exp - iat > MAX_LIFETIME_SECONDS) throw new Error('lives too long');
      if (typeof scope !== 'string') throw new Error('scope is no string');
      const scopes = new Set(scope.split(' ').filter((scope) => client.granted.has(scope)));
      const caller: ServiceCaller = { kind: 'service', name, scopes, ...(client.person ? { person: true } : {}) };
      return { caller, expiresAt: new Date(exp * 1000) };
    } catch (cause) {
      throw new CodedError('UNAUTHORIZED', { cause });
    }
  };
  return rememberVerified(verify, () => new Date());
};
