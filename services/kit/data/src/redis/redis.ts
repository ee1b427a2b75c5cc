import { readFileSync } from 'node:fs';
import { ConfigError } from '@florin/rpc/config';
import type { Logger } from '@florin/rpc/observe';
import { createClient } from 'redis';

const COMMAND_TIMEOUT_MS = 2000;
const CONNECT_TIMEOUT_MS = 2000;
const MAX_RECONNECT_PAUSE_MS = 1000;

/** Where Redis is, and by which authorities it is trusted: a part of `serviceShape`. */
export type RedisConfig = { REDIS_URL: string; REDIS_CA?: string | undefined };

/** The authorities of a server with TLS. @throws ConfigError when the file cannot be read */
const authorities = ({ REDIS_URL, REDIS_CA }: RedisConfig): { tls: true; ca: Buffer } | undefined => {
  if (REDIS_CA === undefined) return undefined;
  if (!REDIS_URL.startsWith('rediss:')) throw new ConfigError('REDIS_CA: REDIS_URL must start with rediss://');
  try {
    return { tls: true, ca: readFileSync(REDIS_CA) };
  } catch {
    throw new ConfigError('REDIS_CA: the named file cannot be read');
  }
};

/**
 * Connects to Redis. While Redis is unavailable, commands fail immediately instead of queueing, and the client keeps reconnecting.
 * @param config the URL alone, or with the authorities of a server with TLS
 * @throws the client's error when Redis cannot be reached
 */
export const openRedis = async (config: string | RedisConfig, logger: Logger) => {
  const settings = typeof config === 'string' ? { REDIS_URL: config } : config;
  const client = createClient({
    url: settings.REDIS_URL,
    disableOfflineQueue: true,
    commandOptions: { timeout: COMMAND_TIMEOUT_MS },
    socket: {
      ...authorities(settings),
      connectTimeout: CONNECT_TIMEOUT_MS,
      reconnectStrategy: (retries) => Math.min(50 * 2 ** Math.min(retries, 6), MAX_RECONNECT_PAUSE_MS),
    },
  });
  client.on('error', (err) => logger.warn({ err }, 'redis'));
  await client.connect();
  return client;
};

export type Redis = Awaited<ReturnType<typeof openRedis>>;
