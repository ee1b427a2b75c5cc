import type { Redis } from '@florin/data/redis';
import { z } from 'zod';
import type { SiwePurpose } from '../domain/siwe-message.ts';

/** Time for which a used or expired nonce is kept, so that it differs from an unknown one. */
const KEPT_MS = 60 * 60 * 1000;

/**
 * One command decides: of two calls with the same message exactly one gets `consumed`. A named use can be repeated until the nonce expires;
 * the repeat of a use that was completed is `completed`. ARGV: now, name of the use.
 */
const CONSUME = `
local nonce = redis.call('hmget', KEYS[1], 'expiresAt', 'used', 'completed')
if not nonce[1] then return 'unknown' end
local isRepeat = nonce[2] and ARGV[2] ~= '' and nonce[2] == ARGV[2]
if nonce[2] and not isRepeat then return 'used' end
if tonumber(ARGV[1]) >= tonumber(nonce[1]) then return 'expired' end
if isRepeat then return nonce[3] and 'completed' or 'consumed' end
redis.call('hset', KEYS[1], 'used', ARGV[2])
return 'consumed'`;

/** Completes a nonce that is still kept. */
const COMPLETE = `
if redis.call('exists', KEYS[1]) == 1 then redis.call('hset', KEYS[1], 'completed', '1') end
return 0`;

/** Makes a nonce usable again whose unnamed use came to nothing. */
const RELEASE = `
if redis.call('hget', KEYS[1], 'used') == '' then redis.call('hdel', KEYS[1], 'used') end
return 0`;

export type NonceOutcome = 'consumed' | 'completed' | 'used' | 'expired' | 'unknown';

/** What a nonce was issued for: the exact text of its message, as a fingerprint, and the purpose. */
export type IssuedNonce = { fingerprint: string; purpose: SiwePurpose };

/** Single-use nonces of messages to sign. */
export type Nonces = {
  issue: (nonce: string, issued: IssuedNonce, expiresAt: Date) => Promise<void>;
  /** Undefined when the nonce is unknown or no longer kept. */
  find: (nonce: string) => Promise<IssuedNonce | undefined>;
  /** @param use names the use of the nonce; a repeat with the same name is `consumed` again until the use is completed */
  consume: (nonce: string, now: Date, use?: string) => Promise<NonceOutcome>;
  /** Ends the named use of a consumed nonce. */
  complete: (nonce: string) => Promise<void>;
  /** Takes an unnamed use back, because what it was for did not happen. */
  release: (nonce: string) => Promise<void>;
};

const issuedSchema = z.object({ fingerprint: z.string(), purpose: z.enum(['sign_in', 'add_wallet']) });

export const createNonces = (redis: Redis): Nonces => {
  const keyOf = (nonce: string): string => `florin:identity:siwe:${nonce}`;
  return {
    issue: async (nonce, { fingerprint, purpose }, expiresAt) => {
      const key = keyOf(nonce);
      await redis
        .multi()
        .hSet(key, { fingerprint, purpose, expiresAt: String(expiresAt.getTime()) })
        .pExpire(key, KEPT_MS)
        .exec();
    },
    find: async (nonce) => issuedSchema.safeParse(await redis.hGetAll(keyOf(nonce))).data,
    consume: async (nonce, now, use = '') =>
      (await redis.eval(CONSUME, { keys: [keyOf(nonce)], arguments: [String(now.getTime()), use] })) as NonceOutcome,
    complete: async (nonce) => {
      await redis.eval(COMPLETE, { keys: [keyOf(nonce)], arguments: [] });
    },
    release: async (nonce) => {
      await redis.eval(RELEASE, { keys: [keyOf(nonce)], arguments: [] });
    },
  };
};
