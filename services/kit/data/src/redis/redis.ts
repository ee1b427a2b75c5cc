import { readFileSync } from 'node:fs';
import { ConfigError } from '@florin/rpc/config';
import type { Logger } from '@florin/rpc/observe';
import { createClient } from 'redis';

const COMMAND_TIMEOUT_MS = 2000;
const CONNECT_TIMEOUT_MS = 2000;
const MAX_RECONNECT_PAUSE_MS = 1000;

/** Where Redis is, and by which authorities it is trusted: a part of `serviceShape`. */
export type RedisConfig = { REDIS_URL: string; REDIS_CA?: string | undefined };

/** Replies to wrong credentials. */
const REJECTED = /^(?:WRONGPASS|NOAUTH|NOPERM|ERR AUTH|ERR invalid password)/;

/**
 * The authorities of a server with TLS. `ca` is one array whose content is exchanged: the client reads it for each connection.
 * @throws ConfigError when the file cannot be read
 */
const authorities = ({ REDIS_URL, REDIS_CA }: RedisConfig): { options: { tls: true; ca: Buffer[] }; readAgain: () => void } | undefined => {
  if (REDIS_CA === undefined) return undefined;
  if (!REDIS_URL.startsWith('rediss:')) throw new ConfigError('REDIS_CA: REDIS_URL must start with rediss://');
  const ca: Buffer[] = [];
  const read = (): void => void ca.splice(0, ca.length, readFileSync(REDIS_CA));
  try {
    read();
  } catch {
    throw new ConfigError('REDIS_CA: the named file cannot be read');
  }
  return {
    options: { tls: true, ca },
    readAgain: () => {
      try {
        read();
      } catch {
        // The file is being replaced: the next attempt reads it again.
      }
    },
  };
};

const causeOf = (error: unknown): unknown =>
  error instanceof Error && 'originalError' in error && error.originalError instanceof Error ? error.originalError : error;

/**
 * Connects to Redis. Once connected, the client keeps reconnecting, with the authorities that REDIS_CA then has; while Redis is unavailable, commands
 * fail immediately instead of queueing.
 * @param config the URL alone, or with the authorities of a server with TLS
 * @throws ConfigError when the configuration is invalid or Redis rejects its credentials
 * @throws the client's error when Redis cannot be reached
 */
export const openRedis = async (config: string | RedisConfig, logger: Logger) => {
  const settings = typeof config === 'string' ? { REDIS_URL: config } : config;
  if (!URL.canParse(settings.REDIS_URL)) throw new ConfigError('REDIS_URL: must be a URL');
  const trusted = authorities(settings);
  let wasConnected = false;
  let reported: string | undefined;
  const client = createClient({
    url: settings.REDIS_URL,
    disableOfflineQueue: true,
    commandOptions: { timeout: COMMAND_TIMEOUT_MS },
    socket: {
      ...trusted?.options,
      connectTimeout: CONNECT_TIMEOUT_MS,
      reconnectStrategy: (retries, cause) => {
        if (!wasConnected) return cause;
        trusted?.readAgain();
        return Math.min(50 * 2 ** Math.min(retries, 6), MAX_RECONNECT_PAUSE_MS);
      },
    },
  });
  client.on('ready', () => {
    wasConnected = true;
    reported = undefined;
  });
  client.on('error', (err: Error) => {
    if (!wasConnected || err.message === reported) return;
    reported = err.message;
    logger.warn({ err }, 'redis');
  });
  try {
    await client.connect();
  } catch (error) {
    client.destroy();
    const cause = causeOf(error);
    if (cause instanceof Error && REJECTED.test(cause.message)) throw new ConfigError('REDIS_URL: Redis rejects the credentials');
    throw cause;
  }
  return client;
};

export type Redis = Awaited<ReturnType<typeof openRedis>>;
