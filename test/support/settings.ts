import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FREE_PORTS } from '@florin/local';
import { processEnvironment } from '@florin/rpc/config';

/** The root directory of the checkout. */
export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** Environment for benchmarks and fault runs: free ports, no effective rate limits for one IP address, and few logs. */
export const benchEnvironment = (): NodeJS.ProcessEnv => ({
  ...processEnvironment(),
  ...FREE_PORTS,
  RATE_LIMIT_PER_MINUTE: '10000000',
  AUTH_RATE_LIMIT_PER_MINUTE: '10000000',
  LOG_LEVEL: 'warn',
});
