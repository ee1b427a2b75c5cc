import { ACCESS_TOKEN_LIFE_MS, USER_TOKEN_AUDIENCE, USER_TOKEN_ISSUER, USER_TOKEN_TYPE, type UserTokenClaims } from '@florin/rpc/auth';
import type { Runtime } from '@florin/rpc/runtime';
import { SignJWT } from 'jose';
import type { KeyRing } from './key-ring.ts';

export type AccessTokenSubject = {
  /** EIP-55. */
  wallet: string;
  sessionId: string;
  partnerId: string;
  /** Present in a user token. */
  userId?: string | undefined;
  /** Epoch of the wallet in which the session was opened. */
  walletEpoch?: number | undefined;
  /** When the wallet signed in. */
  signedInAt?: Date | undefined;
  /** Thumbprint of the client's key to which the token is bound (RFC 9449, section 6.1). */
  jkt?: string | undefined;
};

export type AccessToken = { token: string; expiresAt: Date };
/** @param notAfter end of the session; the token expires then at the latest */
export type IssueAccessToken = (subject: AccessTokenSubject, notAfter?: Date) => Promise<AccessToken>;

/** Issues access tokens: JWTs (RFC 9068) that every service verifies with the published keys. */
export const createAccessTokens = (keys: Pick<KeyRing, 'signer'>, runtime: Runtime): IssueAccessToken => {
  return async ({ wallet, sessionId, partnerId, userId, walletEpoch = 0, signedInAt, jkt }, notAfter) => {
    const now = runtime.now();
    const signer = keys.signer();
    // Whole seconds, the precision of the token.
    const expiresAt = new Date(
      Math.floor(Math.min(now.getTime() + ACCESS_TOKEN_LIFE_MS, notAfter?.getTime() ?? Number.POSITIVE_INFINITY) / 1000) * 1000,
    );
    const claims: Omit<UserTokenClaims, 'sub'> = {
      sid: sessionId,
      pid: partnerId,
      ...(userId === undefined ? {} : { uid: userId }),
      ...(walletEpoch === 0 ? {} : { wep: walletEpoch }),
      ...(signedInAt === undefined ? {} : { auth_time: Math.floor(signedInAt.getTime() / 1000) }),
      ...(jkt === undefined ? {} : { cnf: { jkt } }),
    };
    const token = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'EdDSA', kid: signer.kid, typ: USER_TOKEN_TYPE })
      .setIssuer(USER_TOKEN_ISSUER)
      .setAudience(USER_TOKEN_AUDIENCE)
      .setSubject(wallet)
      .setJti(runtime.newId())
      .setIssuedAt(now)
      .setExpirationTime(expiresAt)
      .sign(signer.key);
    return { token, expiresAt };
  };
};
