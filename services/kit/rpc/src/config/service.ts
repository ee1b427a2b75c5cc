import { z } from 'zod';
import { serviceKeySchema, serviceTrustSchema } from '../auth/index.ts';
import { flag, json, port } from './values.ts';

/** What every process of the platform needs to know. */
export const serviceShape = {
  /** Address to bind. */
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: port,
  REDIS_URL: z.string().regex(/^rediss?:\/\//, 'must start with redis:// or rediss://'),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  /** Serves what outside systems would do. Off unless said. */
  SANDBOX: flag.default(false),
  /** This process's own private key for service tokens (JWK). */
  SERVICE_KEY: json(serviceKeySchema),
  /** Public keys and scopes of the processes that may call this one. */
  SERVICE_TRUST: json(serviceTrustSchema),
} as const;
