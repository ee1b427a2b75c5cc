import { decodeProtectedHeader } from 'jose';
import { CodedError } from '../errors/index.ts';
import type { Caller } from './caller.ts';
import type { RevokedSessions } from './revoked-sessions.ts';
import { SERVICE_TOKEN_TYPE, type ServiceTokenVerifier } from './service-token.ts';
import type { UserTokenVerifier } from './user-token.ts';

/**
 * Makes a caller out of an Authorization header (RFC 6750, section 2.1).
 * @throws CodedError UNAUTHORIZED, SERVICE_UNAVAILABLE
 */
export type Authenticator = (
  authorization: string | null | undefined,
  /** DNS names in the certificate of the connection; undefined without mutual TLS. A service token counts only on a connection of its owner. */
  peer?: ReadonlySet<string>,
) => Promise<Caller>;

const BEARER = /^Bearer ([A-Za-z0-9_=-]+\.[A-Za-z0-9_=-]+\.[A-Za-z0-9_=-]+)$/i;

/** Longer ones are not ours; parsing them would only cost. */
const MAX_LENGTH = 4096;

export const bearerToken = (authorization: string | null | undefined): string => {
  const match = authorization == null || authorization.length > MAX_LENGTH ? null : BEARER.exec(authorization);
  if (match?.[1] === undefined) throw new CodedError('UNAUTHORIZED', { message: 'no bearer token' });
  return match[1];
};

const typeOf = (token: string): unknown => {
  try {
    return decodeProtectedHeader(token).typ;
  } catch (cause) {
    throw new CodedError('UNAUTHORIZED', { cause });
  }
};

/**
 * @param revoked asked about the session of every user token, after the token itself: what is remembered of a token says nothing
 * about its session
 */
export const createAuthenticator = (verifiers: {
  service?: ServiceTokenVerifier;
  user: UserTokenVerifier;
  revoked: Pick<RevokedSessions, 'check'>;
}): Authenticator => {
  const { service, user, revoked } = verifiers;
  return async (authorization, peer) => {
    const token = bearerToken(authorization);
    // The type only selects the verifier; each verifier insists on it again.
    if (service !== undefined && typeOf(token) === SERVICE_TOKEN_TYPE) {
      const caller = await service(token);
      if (peer !== undefined && !peer.has(caller.name)) {
        throw new CodedError('UNAUTHORIZED', { message: 'the certificate of the connection does not name the owner of the token' });
      }
      return caller;
    }
    const caller = await user(token);
    const news = revoked.check(caller.sessionId);
    if (news !== undefined) await news;
    return caller;
  };
};
