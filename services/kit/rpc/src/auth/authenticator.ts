import { decodeProtectedHeader } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Caller } from './caller.ts';
import { revocationNames } from './revocation-names.ts';
import type { RevokedSessions } from './revoked-sessions.ts';
import { SERVICE_TOKEN_TYPE, type ServiceTokenVerifier } from './service-token.ts';
import { tokenRejected } from './token-problem.ts';
import type { UserTokenVerifier } from './user-token.ts';

/**
 * Authenticates the caller of a request by its Authorization header (RFC 6750, section 2.1).
 * @throws CodedError UNAUTHORIZED with the reason in its metadata (`TokenProblem`), SERVICE_UNAVAILABLE when keys or revocations are unknown
 */
export type Authenticator = (
  authorization: string | null | undefined,
  /**
   * DNS names in the certificate of the connection; undefined without mutual TLS. A service token is accepted only on a connection of its
   * owner, of another instance of the service that was called, which forwards the call, and for a server of a partner, which has no certificate of the
   * platform, on one of the gateway.
   */
  peer?: ReadonlySet<string>,
) => Promise<Caller>;

/** The process that forwards the calls of partners' servers. */
const GATEWAY = 'gateway';

const BEARER = /^Bearer +([A-Za-z0-9_=-]+\.[A-Za-z0-9_=-]+\.[A-Za-z0-9_=-]+)$/i;

/** Maximum length of the header. The platform issues no longer tokens, so parsing them would be wasted work. */
const MAX_LENGTH = 4096;

/** Tokens by header. Callers send the same header with every request, and parsing it costs more than finding it. Bounded to some megabytes. */
const tokens = new LRUCache<string, string>({ max: 10_000, maxSize: 4 * 1024 * 1024, sizeCalculation: (_token, header) => header.length });

/** Extracts the token from an Authorization header. @throws CodedError UNAUTHORIZED unless the header is a bearer token */
export const bearerToken = (authorization: string | null | undefined): string => {
  if (authorization == null) throw tokenRejected('missing');
  const known = tokens.get(authorization);
  if (known !== undefined) return known;
  if (!/^Bearer\b/i.test(authorization)) throw tokenRejected('missing');
  const match = authorization.length > MAX_LENGTH ? null : BEARER.exec(authorization);
  if (match?.[1] === undefined) throw tokenRejected('malformed');
  tokens.set(authorization, match[1]);
  return match[1];
};

type TokenHeader = { typ: unknown; kid: unknown };

/** Headers by their encoded form. The tokens of the platform have few different headers: an algorithm, a key and a type. */
const headers = new LRUCache<string, TokenHeader>({ max: 1000 });

/** Reads the header of a token, which nobody has verified: it only selects a verifier. @throws CodedError UNAUTHORIZED unless it is one */
export const headerOf = (token: string): TokenHeader => {
  const encoded = token.slice(0, token.indexOf('.'));
  const known = headers.get(encoded);
  if (known !== undefined) return known;
  try {
    const { typ, kid } = decodeProtectedHeader(token);
    headers.set(encoded, { typ, kid });
    return { typ, kid };
  } catch (cause) {
    throw tokenRejected('malformed', { cause });
  }
};

/**
 * Creates an authenticator of user tokens, and of service tokens where `service` is given.
 * @param verifiers `instance` is the name of the service itself, if its instances forward calls; `revoked` checks the session, wallet and key of every user token after the token itself, because a cached token may belong to a
 * session that was revoked since
 */
export const createAuthenticator = (verifiers: {
  service?: ServiceTokenVerifier;
  instance?: string;
  user: UserTokenVerifier;
  revoked: Pick<RevokedSessions, 'check'>;
}): Authenticator => {
  const { service, instance, user, revoked } = verifiers;
  return async (authorization, peer) => {
    const token = bearerToken(authorization);
    // The type only selects the verifier; each verifier checks it again.
    if (service !== undefined && headerOf(token).typ === SERVICE_TOKEN_TYPE) {
      const caller = await service(token);
      const forwarders = [instance, caller.partnerId === undefined ? undefined : GATEWAY];
      if (peer !== undefined && ![caller.name, ...forwarders].some((name) => name !== undefined && peer.has(name))) {
        throw tokenRejected('wrong_certificate');
      }
      return caller;
    }
    const caller = await user(token);
    const pending = revoked.check(...revocationNames(caller));
    if (pending !== undefined) await pending;
    return caller;
  };
};
