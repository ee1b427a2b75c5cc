import { createLocalJWKSet, errors, importJWK, type JWTVerifyOptions, type JWTVerifyResult, jwtVerify, SignJWT } from 'jose';
import type { ServiceCaller } from './caller.ts';
import { rememberVerified, type Verified } from './remember-verified.ts';
import type { ServiceKey, ServiceTrust } from './service-keys.ts';
import { ClaimError, toTokenRejection } from './token-problem.ts';

export const SERVICE_TOKEN_TYPE = 'florin-service+jwt';

/** The audience of the tokens of partners' servers, whichever service the gateway calls with them. */
export const PARTNER_TOKEN_AUDIENCE = 'events';

/** Maximum lifetime of a service token: services reject longer ones, so that a leaked token is of little use. */
const MAX_LIFETIME_SECONDS = 300;

export type SignServiceTokenOptions = {
  /** Private key of the caller; its `kid` becomes the issuer. */
  key: ServiceKey;
  /** Name of the called service. */
  audience: string;
  scopes: readonly string[];
  /** From 1 to 300, the default. */
  expiresInSeconds?: number;
};

/**
 * Signs a service token, an assertion of the caller in the style of RFC 7523: the private key stays with the caller.
 * @throws RangeError when `expiresInSeconds` is not an integer from 1 to 300
 */
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

/** Creates a source of tokens for calls to one service. A token is reused until a minute before its expiry. */
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

/** Verifies a token by the key set; where several keys have the same id, by each of them. @throws the library's error */
const verifyByAny = async (
  token: string,
  keys: ReturnType<typeof createLocalJWKSet>,
  options: JWTVerifyOptions,
): Promise<JWTVerifyResult> => {
  try {
    return await jwtVerify(token, keys, options);
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    for await (const key of error) {
      try {
        return await jwtVerify(token, key, options);
      } catch (mismatch) {
        if (!(mismatch instanceof errors.JWSSignatureVerificationFailed)) throw mismatch;
      }
    }
    throw new errors.JWSSignatureVerificationFailed();
  }
};

export type ServiceTokenVerifier = (token: string) => Promise<ServiceCaller>;

/**
 * Creates a verifier of service tokens for `audience`, and of those of partners' servers, whose audience is always the same. It checks the signature by a trusted client's key, that the issuer owns the key,
 * that the token is for no other service as well, and the lifetime, and keeps only those scopes that the trust grants.
 * @throws CodedError UNAUTHORIZED with the reason in its metadata
 */
export const createServiceTokenVerifier = (audience: string, trust: ServiceTrust): ServiceTokenVerifier => {
  // A client's keys share its name as their id.
  const keys = createLocalJWKSet({
    keys: trust.clients.flatMap(({ name, key, overlapKey }) =>
      [key, ...(overlapKey === undefined ? [] : [overlapKey])].map((one) => ({ ...one, kid: name })),
    ),
  });
  const clients = new Map(
    trust.clients.map(({ name, scopes, person, partnerId }) => [
      name,
      {
        granted: new Set(scopes),
        claims: { ...(person === true ? ({ person } as const) : {}), ...(partnerId === undefined ? {} : { partnerId }) },
      },
    ]),
  );
  const verify = async (token: string): Promise<Verified<ServiceCaller>> => {
    try {
      const { payload, protectedHeader } = await verifyByAny(token, keys, {
        algorithms: ['EdDSA'],
        audience: [audience, PARTNER_TOKEN_AUDIENCE],
        typ: SERVICE_TOKEN_TYPE,
        maxTokenAge: MAX_LIFETIME_SECONDS,
        clockTolerance: 5,
        requiredClaims: ['iss', 'sub', 'exp', 'iat', 'scope'],
      });
      // With two audiences, either of the two services could use the token at the other one.
      if (Array.isArray(payload.aud) && payload.aud.length > 1) {
        throw new errors.JWTClaimValidationFailed('the token must name one audience', payload, 'aud', 'check_failed');
      }
      const name = protectedHeader.kid;
      const client = name === undefined ? undefined : clients.get(name);
      // Tokens of partners' servers are for all services that the gateway calls with them.
      if (client?.claims.partnerId === undefined && String(payload.aud) !== audience) {
        throw new errors.JWTClaimValidationFailed('the token is for another service', payload, 'aud', 'check_failed');
      }
      if (name === undefined || client === undefined || payload.iss !== name || payload.sub !== name) {
        throw new ClaimError(payload.iss === name ? 'sub' : 'iss', 'the issuer must own the key');
      }
      const { exp = Number.POSITIVE_INFINITY, iat = 0, scope } = payload;
      if (exp - iat > MAX_LIFETIME_SECONDS) throw new ClaimError('exp', `the lifetime exceeds ${MAX_LIFETIME_SECONDS} seconds`);
      if (typeof scope !== 'string') throw new ClaimError('scope', 'the scope must be a string');
      const scopes = new Set(scope.split(' ').filter((scope) => client.granted.has(scope)));
      const expiresAt = new Date(exp * 1000);
      const caller: ServiceCaller = { kind: 'service', name, scopes, expiresAt, ...client.claims };
      return { caller, expiresAt };
    } catch (cause) {
      throw toTokenRejection(cause);
    }
  };
  return rememberVerified(verify, () => new Date());
};
