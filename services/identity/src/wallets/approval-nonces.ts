import type { Redis } from '@florin/data/redis';
import { z } from 'zod';

/** Most approvals of one user that can be used at once; one more removes the oldest. Bounds what a user can store. */
export const MAX_OPEN_APPROVALS = 20;

/** Time for which a used or expired nonce is kept, so that it differs from an unknown one. */
const KEPT_MS = 60 * 60 * 1000;

/** ARGV: nonce, entry, maximum, milliseconds. The oldest entry has the earliest expiry. */
const ISSUE = `
redis.call('hset', KEYS[1], ARGV[1], ARGV[2])
redis.call('pexpire', KEYS[1], ARGV[4])
while redis.call('hlen', KEYS[1]) > tonumber(ARGV[3]) do
  local all = redis.call('hgetall', KEYS[1])
  local oldest, expiry
  for i = 1, #all, 2 do
    local at = cjson.decode(all[i + 1]).expiresAt
    if all[i] ~= ARGV[1] and (not expiry or at < expiry) then oldest, expiry = all[i], at end
  end
  redis.call('hdel', KEYS[1], oldest)
end
return 0`;

/** One command decides which of several uses of a nonce wins. ARGV: nonce, now, name of the use. */
const CONSUME = `
local text = redis.call('hget', KEYS[1], ARGV[1])
if not text then return 'unknown' end
local entry = cjson.decode(text)
if entry.use and entry.use ~= ARGV[3] then return 'used' end
if tonumber(ARGV[2]) >= entry.expiresAt then return 'expired' end
entry.use = ARGV[3]
redis.call('hset', KEYS[1], ARGV[1], cjson.encode(entry))
return 'consumed'`;

const entrySchema = z.object({
  change: z.enum(['add', 'make_primary']),
  wallet: z.string(),
  authorization: z.string(),
  expiresAt: z.number(),
});

/** What a nonce was issued for. `wallet` is an EIP-55 address, `expiresAt` milliseconds since 1970. */
export type IssuedApproval = z.output<typeof entrySchema> & { nonce: string };

/** Single-use nonces of approvals, the newest twenty per user. */
export type ApprovalNonces = {
  issue: (userId: string, issued: IssuedApproval) => Promise<void>;
  list: (userId: string) => Promise<IssuedApproval[]>;
  /** Forgets a nonce whose use is complete, so that no repeat succeeds. */
  forget: (userId: string, nonce: string) => Promise<void>;
  /** @param use names the use: a repeat with the same name is `consumed` again until the nonce expires */
  consume: (userId: string, nonce: string, now: Date, use: string) => Promise<'consumed' | 'used' | 'expired' | 'unknown'>;
};

export const createApprovalNonces = (redis: Redis): ApprovalNonces => {
  const keyOf = (userId: string): string => `florin:identity:wallet-approvals:${userId}`;
  return {
    issue: async (userId, { nonce, ...entry }) => {
      const args = [nonce, JSON.stringify(entry), String(MAX_OPEN_APPROVALS), String(KEPT_MS)];
      await redis.eval(ISSUE, { keys: [keyOf(userId)], arguments: args });
    },
    list: async (userId) =>
      Object.entries(await redis.hGetAll(keyOf(userId))).map(([nonce, text]) => ({ nonce, ...entrySchema.parse(JSON.parse(text)) })),
    forget: async (userId, nonce) => {
      await redis.hDel(keyOf(userId), nonce);
    },
    consume: async (userId, nonce, now, use) =>
      (await redis.eval(CONSUME, { keys: [keyOf(userId)], arguments: [nonce, String(now.getTime()), use] })) as
        | 'consumed'
        | 'used'
        | 'expired'
        | 'unknown',
  };
};
