/**
 * How identity announces sessions that were revoked before their access tokens expired: a Redis stream, and a document for readers that
 * cannot reach Redis.
 */

/**
 * Redis stream of revocations; each entry has one field, `sid`: a session's id, `wallet:<partner>:<address>:<epoch>` for every session that a wallet
 * opened in an epoch, or `key:<kid>` for every token of a signing key.
 */
export const REVOKED_SESSIONS_STREAM = 'florin:revoked-sessions';

/** HTTP path of the JSON document `{"sessions": [id, …]}`: everything revoked within the lifetime of an access token, named as in the stream. */
export const REVOKED_SESSIONS_PATH = '/.well-known/revoked-sessions.json';

/** Maximum number of sessions in the document. Identity fails the request when there are more. */
export const MAX_PUBLISHED_REVOCATIONS = 100_000;
