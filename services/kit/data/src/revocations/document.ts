import { MAX_PUBLISHED_REVOCATIONS, REVOKED_SESSIONS_PATH } from '@florin/proto/identity/v1/revocations';
import { createPlatformFetch, type PlatformFetch } from '@florin/rpc/tls';
import { z } from 'zod';

const FETCH_TIMEOUT_MS = 2000;
const MAX_BYTES = 64 * MAX_PUBLISHED_REVOCATIONS;

const schema = z.object({ sessions: z.array(z.string().max(64)).max(MAX_PUBLISHED_REVOCATIONS) });
export type RevokedSessionsDocument = z.output<typeof schema>;

/** Sessions revoked within the life of an access token, all of them. Rejects when they cannot be had. */
export type RevocationSource = () => Promise<readonly string[]>;

/** The document that identity publishes. */
export const fetchRevocations =
  (identityUrl: string, fetch: PlatformFetch = createPlatformFetch(undefined)): RevocationSource =>
  async () => {
    const url = new URL(REVOKED_SESSIONS_PATH, identityUrl);
    const response = await fetch(url, { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS), redirect: 'error' });
    const text = await response.text();
    if (!response.ok || text.length > MAX_BYTES) throw new Error(`revoked sessions: answered ${response.status}`);
    return schema.parse(JSON.parse(text)).sessions;
  };
