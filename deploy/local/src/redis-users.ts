import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { FEED_GROWTH_STREAM } from '@florin/proto/events/v1/growth';
import { REVOKED_SESSIONS_STREAM } from '@florin/proto/identity/v1/revocations';
import type { ProcessName } from './config.ts';
import { replaceFile } from './files/atomic-file.ts';

/** The processes that use Redis. */
export type RedisProcess = Exclude<ProcessName, 'back-office'>;

/**
 * Keys that a process reads (`%R`), writes (`%W`), or both, besides the revoked sessions. Nobody reads the streams of events but threeds
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
  settlement: [],
  notifications: [],
};

/** Processes that run scripts on their own keys. One that does not end keeps Redis from all. */
const SCRIPTS = ['+eval', '+evalsha'];
const RUN_SCRIPTS: readonly RedisProcess[] = ['gateway', 'identity', 'ledger', 'events'];

/** Types of values, and the connection. No command that shows or changes other keys, users or the server. */
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
  '+time',
  '-@dangerous',
  // Of the connection, they would end and hold up those of others, or tell the names of others' keys that are written.
  ...['-client|kill', '-client|list', '-client|pause', '-client|unpause', '-client|unblock', '-client|tracking'],
];

export const REDIS_PROCESSES = Object.keys(KEYS) as RedisProcess[];

/** The rules of a process's user (https://redis.io/docs/latest/operate/oss_and_stack/management/security/acl/), without its password. */
export const redisRules = (name: RedisProcess): string[] => [
  'resetchannels',
  'resetkeys',
  `%R~${REVOKED_SESSIONS_STREAM}`,
  ...KEYS[name],
  ...COMMANDS,
  ...(RUN_SCRIPTS.includes(name) ? SCRIPTS : []),
];

/** Passwords by user: those of the processes, and of the operator's, which Redis calls `default`. It has every right. */
export type RedisPasswords = Readonly<Record<RedisProcess | 'default', string>>;

/** Reads the passwords in a file, and adds those that it does not have yet. */
export const ensureRedisPasswords = (path: string): RedisPasswords => {
  const known = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Partial<RedisPasswords>) : {};
  const names = ['default', ...REDIS_PROCESSES] as const;
  const passwords = Object.fromEntries(names.map((name) => [name, known[name] ?? randomBytes(32).toString('base64url')])) as RedisPasswords;
  if (names.some((name) => known[name] === undefined)) replaceFile(path, `${JSON.stringify(passwords, null, 2)}\n`);
  return passwords;
};

/** The users with the hashes of their passwords, as Redis loads them (`aclfile`). */
export const redisAclFile = (passwords: RedisPasswords): string => {
  const user = (name: keyof RedisPasswords, rules: readonly string[]): string =>
    `user ${name} on #${createHash('sha256').update(passwords[name]).digest('hex')} ${rules.join(' ')}\n`;
  return [user('default', ['~*', '&*', '+@all']), ...REDIS_PROCESSES.map((name) => user(name, redisRules(name)))].join('');
};

/** Puts a user and its password into an address of Redis. One that names a user already stays as it is. */
export const redisUrlOf = (url: string, passwords: RedisPasswords, name: keyof RedisPasswords): string => {
  const own = new URL(url);
  if (own.username !== '' || own.password !== '') return url;
  own.username = name;
  own.password = passwords[name];
  return own.href;
};
