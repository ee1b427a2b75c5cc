import type { Redis } from '@florin/data/redis';
import type { Lease } from './lease.ts';

/** Takes a free lease, renews our own, or replaces the one that is named; leaves any other alone. */
const HOLD = `
local held = redis.call('get', KEYS[1])
if held and held ~= ARGV[1] and held ~= ARGV[3] then return 0 end
redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`;

/** Deletes the lease only while it is ours. */
const RELEASE = `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end`;

/** Notes the time, by Redis's clock, at which an instance was alive, removes those that are silent, and returns the others. */
const BEAT = `
local time = redis.call('time')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('zadd', KEYS[1], now, ARGV[1])
redis.call('zremrangebyscore', KEYS[1], '-inf', now - ARGV[2])
redis.call('pexpire', KEYS[1], ARGV[2])
return redis.call('zrange', KEYS[1], 0, -1)`;

/** Removes an instance, and those that are silent, and returns the others. */
const LEAVE = `
local time = redis.call('time')
redis.call('zrem', KEYS[1], ARGV[1])
redis.call('zremrangebyscore', KEYS[1], '-inf', time[1] * 1000 + math.floor(time[2] / 1000) - ARGV[2])
return redis.call('zrange', KEYS[1], 0, -1)`;

/** A number above the one that was given and above all that were returned before. */
const NEXT_TERM = `
local term = math.max(tonumber(redis.call('get', KEYS[1]) or '0'), tonumber(ARGV[1])) + 1
redis.call('set', KEYS[1], string.format('%d', term))
return term`;

/** Leases of shards, and the instances that may take them. Every call rejects while Redis is away. */
export type Leases = {
  /** Announces that an instance is alive; returns the urls of all that are. */
  beat: (url: string) => Promise<string[]>;
  /** Announces that an instance ends; returns the urls of the others that are alive. */
  leave: (url: string) => Promise<string[]>;
  find: (shard: string) => Promise<Lease | undefined>;
  /**
   * Takes the shard if it is free, or renews a lease of our own, for the lease time from now.
   * @param instead a lease that may be replaced: that of an owner known to be dead
   * @returns whether the lease is held
   */
  hold: (shard: string, lease: Lease, instead?: Lease) => Promise<boolean>;
  /** Number of a new term of writing: above `after`, and returned only once. */
  nextTerm: (shard: string, after: number) => Promise<number>;
  /** Gives a shard back; does nothing when another lease has replaced this one. */
  release: (shard: string, lease: Lease) => Promise<void>;
};

/** @param scope tells the shards of one database from those of another in the same Redis */
export const createLeases = (redis: Redis, options: { scope: string; leaseMs: number }): Leases => {
  const { scope, leaseMs } = options;
  const instances = `florin:ledger:instances:${scope}`;
  const keyOf = (shard: string) => `florin:ledger:lease:${scope}:${shard}`;
  return {
    beat: async (url) => (await redis.eval(BEAT, { keys: [instances], arguments: [url, String(leaseMs)] })) as string[],
    leave: async (url) => (await redis.eval(LEAVE, { keys: [instances], arguments: [url, String(leaseMs)] })) as string[],
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
