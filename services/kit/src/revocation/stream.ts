import { REVOCATION_KEPT_MS } from '../auth/index.ts';
import type { Redis } from '../redis/index.ts';

/** Redis stream of revoked sessions, entries `{sid}`. */
export const REVOKED_SESSIONS_STREAM = 'florin:revoked-sessions';

/** Tells every process that sessions were revoked. Rejects when they may not have been told; may be repeated. */
export const publishRevocations = async (redis: Redis, sessionIds: readonly string[]): Promise<void> => {
  const threshold = Date.now() - REVOCATION_KEPT_MS;
  await Promise.all(
    sessionIds.map((sid) =>
      redis.xAdd(REVOKED_SESSIONS_STREAM, '*', { sid }, { TRIM: { strategy: 'MINID', strategyModifier: '~', threshold } }),
    ),
  );
};
