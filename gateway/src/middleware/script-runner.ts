import { createHash } from 'node:crypto';
import type { Redis } from '@florin/data/redis';
import type { RedisReply } from 'rate-limit-redis';

/**
 * Sends the store's commands, and keeps its scripts runnable for ever. The store loads a script once; if that one load fails, or
 * fails again after Redis came back without it, it would never try another time and nothing would be counted any more.
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
