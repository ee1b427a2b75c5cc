import type { Redis } from '@florin/data/redis';
import { within } from '@florin/rpc/time';

/** A count to add to. Its window starts with the first addition. */
export type Addition = { key: string; count: number };

/** A count after an addition, and the rest of its window. */
export type Total = { total: number; leftMs: number };

/** Counts that all gateways of a deployment share. */
export type SharedCounts = {
  /** Adds to counts in one step and returns the new totals, in the same order. @throws the store's error, SERVICE_UNAVAILABLE after a timeout */
  add: (additions: readonly Addition[], windowMs: number) => Promise<Total[]>;
};

/** A request may wait for this, so it is shorter than the patience of any caller. */
const TIMEOUT_MS = 250;

/** Counts per command, so that one command does not keep Redis from serving others. */
const MAX_PER_COMMAND = 500;

const SCRIPT = `
local totals = {}
for index, key in ipairs(KEYS) do
  totals[2 * index - 1] = redis.call('INCRBY', key, ARGV[index + 1])
  local left = redis.call('PTTL', key)
  if left < 0 then
    left = tonumber(ARGV[1])
    redis.call('PEXPIRE', key, left)
  end
  totals[2 * index] = left
end
return totals`;

/** @param timeoutMs longest wait for Redis */
export const createSharedCounts = (redis: Redis, timeoutMs = TIMEOUT_MS): SharedCounts => ({
  add: async (additions, windowMs) => {
    const totals: Total[] = [];
    for (let start = 0; start < additions.length; start += MAX_PER_COMMAND) {
      const part = additions.slice(start, start + MAX_PER_COMMAND);
      const keys = part.map(({ key }) => key);
      const args = [windowMs, ...part.map(({ count }) => count)].map(String);
      const added = (await within(timeoutMs, redis.eval(SCRIPT, { keys, arguments: args }))) as number[];
      for (let index = 0; index < added.length; index += 2) totals.push({ total: added[index] ?? 0, leftMs: added[index + 1] ?? 0 });
    }
    return totals;
  },
});
