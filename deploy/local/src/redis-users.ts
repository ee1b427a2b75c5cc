import { FEED_GROWTH_STREAM } from '@florin/proto/events/v1/growth';
import { REVOKED_SESSIONS_STREAM } from '@florin/proto/identity/v1/revocations';
import type { ProcessName } from './config.ts';

/** The processes that use Redis. */
export type RedisProcess = Exclude<ProcessName, 'back-office'>;

/**
 * What a process reads (`%R`), writes (`%W`), or both, besides reading which sessions are revoked. Nobody reads the streams of events but threeds
 * its own: the feeds have them all.
 */
const KEYS: Readonly<Record<RedisProcess, readonly string[]>> = {
  gateway: ['~florin:gateway:*', `%R~${FEED_GROWTH_STREAM}`],
  identity: ['~florin:identity:*', `~${REVOKED_SESSIONS_STREAM}`, '%W~florin:events:identity'],
  card: ['%W~florin:events:card'],
  ledger: ['~florin:ledger:*', '%W~florin:events:ledger'],
  threeds: ['~florin:events:threeds'],
  vault: ['%W~florin:events:vault'],
  chain: ['%W~florin:events:chain'],
  events: [`~${FEED_GROWTH_STREAM}`, '~florin:journal-follower:*'],
  webhooks: [`%R~${FEED_GROWTH_STREAM}`],
};

/** Types of values, scripts on the caller's own keys, and the connection. No command that shows or changes other keys, users or the server. */
const COMMANDS = [
  '-@all',
  '+@connection',
  '+@string',
  '+@hash',
  '+@list',
  '+@set',
  '+@sortedset',
  '+@stream',
  '+@transaction',
  '+del',
  '+exists',
  '+expire',
  '+pexpire',
  '+ttl',
  '+pttl',
  '+eval',
  '+evalsha',
  '+time',
  '-@dangerous',
  // Of the connection, it would end those of others.
  '-client|kill',
  '-client|list',
];

export const REDIS_PROCESSES = Object.keys(KEYS) as RedisProcess[];

/** The rules of a process's user (https://redis.io/docs/latest/operate/oss_and_stack/management/security/acl/), without its password. */
export const redisRules = (name: RedisProcess): string[] => [
  'resetchannels',
  'resetkeys',
  `%R~${REVOKED_SESSIONS_STREAM}`,
  ...KEYS[name],
  ...COMMANDS,
];
