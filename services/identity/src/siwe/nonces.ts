import type { Redis } from '@florin/data/redis';

/** Time for which a used or expired nonce is kept, so that it differs from an unknown one. */
const KEPT_MS = 60 * 60 * 1000;

/** One command decides: of two calls with the same message exactly one gets `consumed`. A named use can be repeated. */
const CONSUME = `
local nonce = redis.call('hmget', KEYS[1], 'expiresAt', 'used')
if not nonce[1] then return 'unknown' end
if nonce[2] then return (ARGV[2] ~= '' and nonce[2] == ARGV[2]) and 'consumed' or 'used' end
if tonumber(ARGV[1]) >= tonumber(nonce[1]) then return 'expired' end
redis.call('hset', KEYS[1], 'used', ARGV[2])
return 'consumed'`;

export type NonceOutcome = 'consumed' | 'used' | 'expired' | 'unknown';

/** Single-use nonces of sign-in messages, each bound to the exact text of its message. */
export type Nonces = {
  issue: (nonce: string, fingerprint: string, expiresAt: Date) => Promise<void>;
  /** Fingerprint of the message of a nonce; undefined when the nonce is unknown or no longer kept. */
  fingerprintOf: (nonce: string) => Promise<string | undefined>;
  /** @param use names the use of the nonce; a repeat with the same name is `consumed` again */
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
