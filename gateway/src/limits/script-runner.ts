import { createHash } from 'node:crypto';
import type { Redis } from '@florin/data/redis';
import type { RedisReply } from 'rate-limit-redis';

/**
 * Sends the commands of rate-limit-redis, and reloads its scripts. The store loads each script once; if that load fails, or Redis
 * restarts without the script, the store does not load it again and stops counting. Here a missing script is sent with EVAL.
 */
export const createScriptRunner = (redis: Redis) => {
  const scripts = new Map<string, string>();
  return async (...command: string[]): Promise<RedisReply> => {
    const [name, first = '', ...rest] = command;
    if (name === 'SCRIPT' && first === 'LOAD') {
      const script = rest[0] ?? '';
      const digest = createHash('sha1').update(script).digest('hex');
      scripts.set(digest, script);
      return digest;
    }
    try {
      return (await redis.sendCommand(command)) as RedisReply;
    } catch (error) {
      const script = name === 'EVALSHA' ? scripts.get(first) : undefined;
      if (script === undefined || !(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
      return (await redis.sendCommand(['EVAL', script, ...rest])) as RedisReply;
    }
  };
};
