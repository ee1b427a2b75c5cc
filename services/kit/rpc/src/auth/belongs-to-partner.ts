import type { Client } from '@connectrpc/connect';
import type { UserService } from '@florin/proto/identity/v1/user_service';
import { LRUCache } from 'lru-cache';
import { CodedError } from '../errors/index.ts';

/** Reports whether a user is registered and belongs to a partner. Rejects while identity cannot be asked. */
export type BelongsToPartner = (userId: string, partnerId: string) => Promise<boolean>;

/** Time for which an answer that a user belongs to a partner is used. The partner never changes; an erasure takes effect within it. */
const BELONGS_MS = 60_000;
const MAX_BELONGING = 10_000;

/** Asks identity. */
export const belongsToPartnerAt = (identity: Pick<Client<typeof UserService>, 'checkUserPartner'>): BelongsToPartner => {
  const known = new LRUCache<string, true>({ max: MAX_BELONGING, ttl: BELONGS_MS });
  return async (userId, partnerId) => {
    const key = `${partnerId}/${userId}`;
    if (known.has(key)) return true;
    try {
      await identity.checkUserPartner({ userId, partnerId });
    } catch (error) {
      if (error instanceof CodedError && error.code === 'USER_NOT_FOUND') return false;
      throw error;
    }
    known.set(key, true);
    return true;
  };
};
