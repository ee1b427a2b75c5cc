import { MAX_PUBLISHED_REVOCATIONS, REVOKED_SESSIONS_PATH } from '@florin/proto/identity/v1/revocations';
import { createPlatformFetch, type PlatformFetch } from '@florin/rpc/tls';
import { z } from 'zod';

const FETCH_TIMEOUT_MS = 2000;
/** Longer than a name with the id of a partner in it. */
const MAX_NAME = 192;
const MAX_BYTES = MAX_NAME * MAX_PUBLISHED_REVOCATIONS;

const schema = z.object({ sessions: z.array(z.string().max(MAX_NAME)).max(MAX_PUBLISHED_REVOCATIONS) });
export type RevokedSessionsDocument = z.output<typeof schema>;

/** Returns the names of everything revoked within the lifetime of an access token (see revocation-names.ts of @florin/rpc). Rejects when the list is unavailable. */
export type RevocationSource = () => Promise<readonly string[]>;

/** Creates a source that fetches the document published by identity. */
export const fetchRevocations =
  (identityUrl: string, fetch: PlatformFetch = createPlatformFetch(undefined)): RevocationSource =>
  async () => {
    const url = new URL(REVOKED_SESSIONS_PATH, identityUrl);
    const response = await fetch(url, { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS), redirect: 'error' });
    const text = await response.text();
    if (!response.ok || text.length > MAX_BYTES)
      throw new Error(`fetching revoked sessions failed with status ${response.status}, ${text.length} characters`);
    return schema.parse(JSON.parse(text)).sessions;
  };
