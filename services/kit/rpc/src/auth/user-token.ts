import { createRemoteJWKSet, customFetch, errors, type FetchImplementation, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { z } from 'zod';
import { CodedError } from '../errors/index.ts';
import type { PlatformFetch } from '../tls/index.ts';
import type { WalletCaller } from './caller.ts';
import { rememberVerified, type Verified } from './remember-verified.ts';

/** RFC 9068, section 2.1. */
export const USER_TOKEN_TYPE = 'at+jwt';
export const USER_TOKEN_ISSUER = 'florin-identity';
export const USER_TOKEN_AUDIENCE = 'florin';

/** Life of an access token. What ends one earlier is the revocation of its session. */
export const ACCESS_TOKEN_LIFE_MS = 15 * 60 * 1000;

/** Claims of a user's access token besides the registered ones. `sub` is the wallet. */
export const userTokenClaims = z.object({
  sub: z.string().regex(/^0x[0-9a-fA-F]{40}$/),
  sid: z.uuid(),
  pid: z.string().min(1),
  uid: z.uuid().optional(),
});
export type UserTokenClaims = z.output<typeof userTokenClaims>;

export type UserTokenVerifier = (token: string) => Promise<WalletCaller>;

const isKeySourceDown = (error: unknown): boolean =>
  error instanceof errors.JWKSTimeout ||
  // jose raises the plain base error when the JWKS answer is not a 200.
  (error instanceof errors.JOSEError && error.code === 'ERR_JOSE_GENERIC') ||
  // fetch raises TypeError when the other side cannot be reached.
  error instanceof TypeError;

/**
 * Verifies users' access tokens with the keys that identity publishes. No call per token: keys and verified tokens are remembered.
 * @throws CodedError UNAUTHORIZED, SERVICE_UNAVAILABLE when the keys cannot be had
 */
export const createUserTokenVerifier = (keys: JWTVerifyGetKey, now: () => Date): UserTokenVerifier => {
  const verify = async (token: string): Promise<Verified<WalletCaller>> => {
    try {
      const { payload } = await jwtVerify(token, keys, {
        algorithms: ['EdDSA'],
        issuer: USER_TOKEN_ISSUER,
        audience: USER_TOKEN_AUDIENCE,
        typ: USER_TOKEN_TYPE,
        currentDate: now(),
        requiredClaims: ['exp', 'iat', 'sub'],
      });
      const { sub, sid, pid, uid } = userTokenClaims.parse(payload);
      const caller: WalletCaller = {
        kind: 'wallet',
        wallet: sub,
        sessionId: sid,
        partnerId: pid,
        ...(uid === undefined ? {} : { userId: uid }),
      };
      return { caller, expiresAt: new Date((payload.exp ?? 0) * 1000) };
    } catch (cause) {
      throw new CodedError(isKeySourceDown(cause) ? 'SERVICE_UNAVAILABLE' : 'UNAUTHORIZED', { cause });
    }
  };
  return rememberVerified(verify, now);
};

/** Path under which identity publishes its public keys (RFC 7517). */
export const JWKS_PATH = '/.well-known/jwks.json';

/** Between two fetches of the key set because of a key that is not in it. */
export const USER_KEYS_COOLDOWN_MS = 5000;
export const USER_KEYS_TIMEOUT_MS = 3000;

/** Identity's published keys, fetched when first needed, when a key is not among them, and every ten minutes. */
export const createRemoteUserKeys = (
  identityUrl: string,
  { cooldownMs = USER_KEYS_COOLDOWN_MS, fetch }: { cooldownMs?: number /** Default: the global one. */; fetch?: PlatformFetch } = {},
) =>
  createRemoteJWKSet(new URL(JWKS_PATH, identityUrl), {
    ...(fetch === undefined ? {} : { [customFetch]: fetch as FetchImplementation }),
    timeoutDuration: USER_KEYS_TIMEOUT_MS,
    cooldownDuration: cooldownMs,
    cacheMaxAge: 600_000,
  });
