import type { Logger } from '@florin/rpc/observe';
import { createClient } from 'redis';

const COMMAND_TIMEOUT_MS = 2000;
const CONNECT_TIMEOUT_MS = 2000;
const MAX_RECONNECT_PAUSE_MS = 1000;

/**
 * Connects to Redis. While Redis is unavailable, commands fail immediately instead of queueing, and the client keeps reconnecting.
 * @throws the client's error when Redis cannot be reached
 */
export const openRedis = async (url: string, logger: Logger) => {
  const client = createClient({
    url,
    disableOfflineQueue: true,
    commandOptions: { timeout: COMMAND_TIMEOUT_MS },
    socket: {
      connectTimeout: CONNECT_TIMEOUT_MS,
      reconnectStrategy: (retries) => Math.min(50 * 2 ** Math.min(retries, 6), MAX_RECONNECT_PAUSE_MS),
    },
  });
  client.on('error', (err) => logger.warn({ err }, 'redis'));
  await client.connect();
  return client;
};

export type Redis = Awaited<ReturnType<typeof openRedis>>;
