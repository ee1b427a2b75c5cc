import type { Redis } from '@florin/data/redis';
import type { Lease } from './lease.ts';

/** Takes a lease that nobody has, prolongs our own, or replaces the one that is named; leaves anybody else's alone. */
const HOLD = `
local held = redis.call('get', KEYS[1])
if held and held ~= ARGV[1] and held ~= ARGV[3] then return 0 end
redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`;

/** Deletes the lease only while it is ours. */
const RELEASE = `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end`;

/** Notes the time, by Redis's clock, at which an instance was alive, forgets those that are silent, and counts the others. */
const BEAT = `
local time = redis.call('time')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('zadd', KEYS[1], now, ARGV[1])
redis.call('zremrangebyscore', KEYS[1], '-inf', now - ARGV[2])
redis.call('pexpire', KEYS[1], ARGV[2])
return redis.call('zcard', KEYS[1])`;

/** A number above the one that was given and above all that were answered before. */
const NEXT_TERM = `
local term = math.max(tonumber(redis.call('get', KEYS[1]) or '0'), tonumber(ARGV[1])) + 1
redis.call('set', KEYS[1], string.format('%d', term))
return term`;

/** Leases of shards, and who is there to take them. Every call rejects while Redis is away. */
export type Leases = {
  /** Says that an instance is alive; answers how many are. */
  beat: (instance: string) => Promise<number>;
  /** Says that an instance ends. */
  leave: (instance: string) => Promise<void>;
  find: (shard: string) => Promise<Lease | undefined>;
  /**
   * Takes the shard when nobody has it, and prolongs a lease of our own, for the lease time from now.
   * @param instead a lease that may be replaced: that of an owner known to be dead
   * @returns whether the shard is ours now
   */
  hold: (shard: string, lease: Lease, instead?: Lease) => Promise<boolean>;
  /** Number of a new term of writing: above `after`, and no two are alike. */
  nextTerm: (shard: string, after: number) => Promise<number>;
  /** Gives a shard back; does nothing when somebody else owns it by now. */
  release: (shard: string, lease: Lease) => Promise<void>;
};

/** @param scope tells the shards of one database from those of another in the same Redis */
export const createLeases = (redis: Redis, options: { scope: string; leaseMs: number }): Leases => {
  const { scope, leaseMs } = options;
  const instances = `florin:ledger:instances:${scope}`;
  const keyOf = (shard: string) => `florin:ledger:lease:${scope}:${shard}`;
  return {
    beat: async (instance) => Number(await redis.eval(BEAT, { keys: [instances], arguments: [instance, String(leaseMs)] })),
    leave: async (instance) => {
      await redis.zRem(instances, instance);
    },
    find: async (shard) => {
      const value = await redis.get(keyOf(shard));
      return value === null ? undefined : (JSON.parse(value) as Lease);
    },
    hold: async (shard, lease, instead) => {
      const values = [JSON.stringify(lease), String(leaseMs), instead === undefined ? '' : JSON.stringify(instead)];
      return (await redis.eval(HOLD, { keys: [keyOf(shard)], arguments: values })) === 1;
    },
    nextTerm: async (shard, after) =>
      Number(await redis.eval(NEXT_TERM, { keys: [`florin:ledger:term:${scope}:${shard}`], arguments: [String(after)] })),
    release: async (shard, lease) => {
      await redis.eval(RELEASE, { keys: [keyOf(shard)], arguments: [JSON.stringify(lease)] });
    },
  };
};
