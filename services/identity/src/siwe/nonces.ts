import type { Redis } from '@florin/data/redis';

/** A used or expired nonce is remembered for so long after its issue, so that it can be told from one that never was. */
const KEPT_MS = 60 * 60 * 1000;

/** One command decides: of two sign-ins with the same message exactly one gets `consumed`. A named use may repeat itself. */
const CONSUME = `
local nonce = redis.call('hmget', KEYS[1], 'expiresAt', 'used')
if not nonce[1] then return 'unknown' end
if nonce[2] then return (ARGV[2] ~= '' and nonce[2] == ARGV[2]) and 'consumed' or 'used' end
if tonumber(ARGV[1]) >= tonumber(nonce[1]) then return 'expired' end
redis.call('hset', KEYS[1], 'used', ARGV[2])
return 'consumed'`;

export type NonceOutcome = 'consumed' | 'used' | 'expired' | 'unknown';

/** Single-use nonces of sign-in messages, bound to the exact text that they were issued in. */
export type Nonces = {
  issue: (nonce: string, fingerprint: string, expiresAt: Date) => Promise<void>;
  /** Fingerprint of the message that the nonce was issued in; undefined when nobody knows it (any more). */
  fingerprintOf: (nonce: string) => Promise<string | undefined>;
  /** @param use names what it is used for, so that a repeat of exactly that is `consumed` again; without one nothing is */
  consume: (nonce: string, now: Date, use?: string) => Promise<NonceOutcome>;
};

export const createNonces = (redis: Redis): Nonces => {
  const keyOf = (nonce: string): string => `florin:identity:siwe:${nonce}`;
  return {
    issue: async (nonce, fingerprint, expiresAt) => {
      const key = keyOf(nonce);
      await redis
        .multi()
        .hSet(key, { fingerprint, expiresAt: String(expiresAt.getTime()) })
        .pExpire(key, KEPT_MS)
        .exec();
    },
    fingerprintOf: async (nonce) => (await redis.hGet(keyOf(nonce), 'fingerprint')) ?? undefined,
    consume: async (nonce, now, use = '') =>
      (await redis.eval(CONSUME, { keys: [keyOf(nonce)], arguments: [String(now.getTime()), use] })) as NonceOutcome,
  };
};
