import { REVOKED_SESSIONS_STREAM } from '@florin/proto/identity/v1/revocations';
import { REVOCATION_KEPT_MS } from '@florin/rpc/auth';
import type { Redis } from '../redis/index.ts';

/** Tells every process that sessions were revoked. Rejects when they may not have been told; may be repeated. */
export const publishRevocations = async (redis: Redis, sessionIds: readonly string[]): Promise<void> => {
  const threshold = Date.now() - REVOCATION_KEPT_MS;
  await Promise.all(
    sessionIds.map((sid) =>
      redis.xAdd(REVOKED_SESSIONS_STREAM, '*', { sid }, { TRIM: { strategy: 'MINID', strategyModifier: '~', threshold } }),
    ),
  );
};
