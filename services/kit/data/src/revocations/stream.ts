import { REVOKED_SESSIONS_STREAM } from '@florin/proto/identity/v1/revocations';
import { REVOCATION_KEPT_MS } from '@florin/rpc/auth';
import type { Redis } from '../redis/index.ts';

/** Announces revocations by name to every process. Rejects when the announcement may have failed; harmless to repeat. */
export const publishRevocations = async (redis: Redis, sessionIds: readonly string[]): Promise<void> => {
  const threshold = Date.now() - REVOCATION_KEPT_MS;
  await Promise.all(
    sessionIds.map((sid) =>
      redis.xAdd(REVOKED_SESSIONS_STREAM, '*', { sid }, { TRIM: { strategy: 'MINID', strategyModifier: '~', threshold } }),
    ),
  );
};
