import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { processEnvironment } from '@florin/rpc/config';

/** The checkout. */
export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** Free ports, no limits that a load generator on one address would meet, quiet logs. */
export const benchEnvironment = (): NodeJS.ProcessEnv => ({
  ...processEnvironment(),
  PORT: '0',
  IDENTITY_PORT: '0',
  CARD_PORT: '0',
  LEDGER_PORT: '0',
  THREEDS_PORT: '0',
  RATE_LIMIT_PER_MINUTE: '10000000',
  AUTH_RATE_LIMIT_PER_MINUTE: '10000000',
  LOG_LEVEL: 'warn',
});
