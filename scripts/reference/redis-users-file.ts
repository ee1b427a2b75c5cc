import { REDIS_PROCESSES, redisRules } from '../../deploy/local/src/redis-users.ts';

/** The users of Redis, as a file of its access control lists. */
export const redisUsersFile = (): string =>
  `${REDIS_PROCESSES.map((name) => `user ${name} on >PASSWORD-OF-${name.toUpperCase()} ${redisRules(name).join(' ')}`).join('\n')}\n`;
