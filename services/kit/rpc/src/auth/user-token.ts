import { createRemoteJWKSet, customFetch, errors, type FetchImplementation, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { z } from 'zod';
import { CodedError } from '../errors/index.ts';
import type { WalletCaller } from './caller.ts';
import { rememberVerified, type Verified } from './remember-verified.ts';
import { ClaimError, toTokenRejection } from './token-problem.ts';

/** Type of access tokens (RFC 9068, section 2.1). */
export const USER_TOKEN_TYPE = 'at+jwt';
export const USER_TOKEN_ISSUER = 'florin-identity';
export const USER_TOKEN_AUDIENCE = 'florin';

/** Lifetime of an access token in milliseconds. Revoking its session ends it earlier. */
export const ACCESS_TOKEN_LIFE_MS = 15 * 60 * 1000;

/** Claims of a user's access token besides the registered ones. `sub` is the wallet. */
export const userTokenClaims = z.object({
  sub: z.string().regex(/^0x[0-9a-fA-F]{40}$/),
  sid: z.uuid(),
  pid: z.string().min(1),
  uid: z.uuid().optional(),
  /** Epoch of the wallet; 0 when it is absent. */
  wep: z.int().positive().optional(),
  /** When the session began: the wallet signed in then (OpenID Connect Core 1.0, section 2). */
  auth_time: z.int().positive().optional(),
  /** The client's key to which the token is bound (RFC 9449, section 6.1). */
  cnf: z.object({ jkt: z.string().regex(/^[A-Za-z0-9_-]{43}$/) }).optional(),
});
export type UserTokenClaims = z.output<typeof userTokenClaims>;

export type UserTokenVerifier = (token: string) => Promise<WalletCaller>;

const isKeySourceDown = (error: unknown): boolean =>
  error instanceof errors.JWKSTimeout ||
  // jose throws its base error when the JWKS response is not a 200.
  (error instanceof errors.JOSEError && error.code === 'ERR_JOSE_GENERIC') ||
  // fetch throws a TypeError when the server cannot be reached.
  error instanceof TypeError;

/**
 * Creates a verifier of users' access tokens by the keys that identity publishes. Keys and verified tokens are cached, so that
 * verification makes no call per token.
 * @throws CodedError UNAUTHORIZED, SERVICE_UNAVAILABLE when the keys cannot be fetched
 */
export const createUserTokenVerifier = (keys: JWTVerifyGetKey, now: () => Date): UserTokenVerifier => {
  const verify = async (token: string): Promise<Verified<WalletCaller>> => {
    try {
      const { payload, protectedHeader } = await jwtVerify(token, keys, {
        algorithms: ['EdDSA'],
        issuer: USER_TOKEN_ISSUER,
        audience: USER_TOKEN_AUDIENCE,
        typ: USER_TOKEN_TYPE,
        currentDate: now(),
        requiredClaims: ['exp', 'iat', 'sub'],
      });
      const claims = userTokenClaims.safeParse(payload);
      if (!claims.success) throw new ClaimError(String(claims.error.issues[0]?.path[0]), 'has another form');
      const { sub, sid, pid, uid, wep, auth_time: authTime, cnf } = claims.data;
      const expiresAt = new Date((payload.exp ?? 0) * 1000);
      const caller: WalletCaller = {
        kind: 'wallet',
        wallet: sub,
        expiresAt,
        sessionId: sid,
        partnerId: pid,
        ...(uid === undefined ? {} : { userId: uid }),
        ...(wep === undefined ? {} : { walletEpoch: wep }),
        ...(authTime === undefined ? {} : { signedInAt: new Date(authTime * 1000) }),
        ...(cnf === undefined ? {} : { jkt: cnf.jkt }),
        ...(protectedHeader.kid === undefined ? {} : { kid: protectedHeader.kid }),
      };
      return { caller, expiresAt };
    } catch (cause) {
      throw isKeySourceDown(cause) ? new CodedError('SERVICE_UNAVAILABLE', { cause }) : toTokenRejection(cause);
    }
  };
  return rememberVerified(verify, now);
};

/** Path at which identity publishes its public keys (RFC 7517). */
export const JWKS_PATH = '/.well-known/jwks.json';

/** Minimum time between two fetches of the key set caused by an unknown key. */
export const USER_KEYS_COOLDOWN_MS = 5000;
export const USER_KEYS_TIMEOUT_MS = 3000;

/**
 * Identity's published keys. They are fetched on first use, for an unknown key id, and after ten minutes.
 * @param options `fetch` replaces the global one, for example with one that uses mutual TLS
 */
export const createRemoteUserKeys = (
  identityUrl: string,
  { cooldownMs = USER_KEYS_COOLDOWN_MS, fetch }: { cooldownMs?: number; fetch?: FetchImplementation } = {},
) =>
  createRemoteJWKSet(new URL(JWKS_PATH, identityUrl), {
    ...(fetch === undefined ? {} : { [customFetch]: fetch }),
    timeoutDuration: USER_KEYS_TIMEOUT_MS,
    cooldownDuration: cooldownMs,
    cacheMaxAge: 600_000,
  });
