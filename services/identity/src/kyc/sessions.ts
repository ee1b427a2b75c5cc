import type { Redis } from '@florin/data/redis';
import type { Sealer } from '@florin/rpc/crypto';
import { CodedError } from '@florin/rpc/errors';
import type { Runtime } from '@florin/rpc/runtime';
import { z } from 'zod';
import type { User } from '../domain/user.ts';
import type { KycProvider, KycSession } from '../ports/kyc-provider.ts';

/** Least remaining lifetime of a page that is returned again: the user needs time to find documents. */
const MIN_REMAINING_MS = 60 * 1000;

/** Pages on which users submit documents. */
export type KycSessions = {
  /**
   * Returns the user's last page while it is valid for at least another minute, otherwise a new one. @throws CodedError
   * KYC_SESSION_FAILED
   */
  open: (user: Pick<User, 'id' | 'kycProfileId'>) => Promise<KycSession>;
};

const keptSchema = z.object({ url: z.string(), expiresAt: z.coerce.date() });

export type KycSessionParts = { provider: KycProvider; redis: Redis; sealer: Sealer; runtime: Pick<Runtime, 'now'> };

/** Pages are stored encrypted in Redis, because the URL of a page is enough to continue the check. */
export const createKycSessions = ({ provider, redis, sealer, runtime }: KycSessionParts): KycSessions => {
  const keyOf = (userId: string): string => `florin:identity:kyc-session:${userId}`;
  const remainingMsOf = ({ expiresAt }: KycSession): number => expiresAt.getTime() - runtime.now().getTime();

  const find = async (key: string): Promise<KycSession | undefined> => {
    const sealed = await redis.get(key);
    if (sealed === null) return undefined;
    // A page that was changed, or that belongs to another user, does not open: the user gets a new one.
    const text = await sealer.open(sealed, key).catch(() => undefined);
    const kept = text === undefined ? undefined : keptSchema.parse(JSON.parse(text));
    return kept !== undefined && remainingMsOf(kept) > MIN_REMAINING_MS ? kept : undefined;
  };

  return {
    open: async ({ id, kycProfileId }) => {
      const key = keyOf(id);
      const kept = await find(key);
      if (kept !== undefined) return kept;
      let session: KycSession;
      try {
        session = await provider.createSession(kycProfileId);
      } catch (cause) {
        throw new CodedError('KYC_SESSION_FAILED', { cause });
      }
      const remainingMs = remainingMsOf(session);
      if (remainingMs > MIN_REMAINING_MS)
        await redis.set(key, await sealer.seal(JSON.stringify(session), key), { expiration: { type: 'PX', value: remainingMs } });
      return session;
    },
  };
};
