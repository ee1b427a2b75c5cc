import type { Redis } from '@florin/data/redis';
import { CodedError } from '@florin/rpc/errors';
import type { Runtime } from '@florin/rpc/runtime';
import { z } from 'zod';
import type { Sealer } from '../crypto/sealer.ts';
import type { User } from '../domain/user.ts';
import type { KycProvider, KycSession } from '../ports/kyc-provider.ts';

/** A page that is about to end is of no use to somebody who has to find a passport first. */
const LEFT_MS = 60 * 1000;

/** Pages on which people hand in documents. */
export type KycSessions = {
  /** The user's page: the last one while it is valid for another minute, else a new one. @throws CodedError KYC_SESSION_FAILED */
  open: (user: Pick<User, 'id' | 'kycProfileId'>) => Promise<KycSession>;
};

const keptSchema = z.object({ url: z.string(), expiresAt: z.coerce.date() });

export type KycSessionParts = { provider: KycProvider; redis: Redis; sealer: Sealer; runtime: Pick<Runtime, 'now'> };

/** Pages are kept sealed in Redis: whoever has the address of one can go on with somebody's check. */
export const createKycSessions = ({ provider, redis, sealer, runtime }: KycSessionParts): KycSessions => {
  const keyOf = (userId: string): string => `florin:identity:kyc-session:${userId}`;
  const leftOf = ({ expiresAt }: KycSession): number => expiresAt.getTime() - runtime.now().getTime();

  const find = async (key: string): Promise<KycSession | undefined> => {
    const sealed = await redis.get(key);
    if (sealed === null) return undefined;
    const kept = keptSchema.parse(JSON.parse(await sealer.open(sealed, key)));
    return leftOf(kept) > LEFT_MS ? kept : undefined;
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
      const left = leftOf(session);
      if (left > LEFT_MS)
        await redis.set(key, await sealer.seal(JSON.stringify(session), key), { expiration: { type: 'PX', value: left } });
      return session;
    },
  };
};
