/**
 * How identity announces sessions that were revoked before their access tokens expired: a Redis stream, and a document for readers that
 * cannot reach Redis.
 */

/** Redis stream of revoked sessions; each entry has one field, `sid`, the session's id. */
export const REVOKED_SESSIONS_STREAM = 'florin:revoked-sessions';

/** HTTP path of the JSON document `{"sessions": [id, …]}`: every session revoked within the lifetime of an access token. */
export const REVOKED_SESSIONS_PATH = '/.well-known/revoked-sessions.json';

/** Maximum number of sessions in the document. Identity fails the request when there are more. */
export const MAX_PUBLISHED_REVOCATIONS = 100_000;
