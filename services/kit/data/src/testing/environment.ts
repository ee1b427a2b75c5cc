import { randomBytes } from 'node:crypto';
import type { Environment } from '@florin/rpc/config';
import type { TestAuthority } from '@florin/rpc/testing';
import { testEngines } from './engines.ts';

const newKey = (): string => randomBytes(32).toString('base64url');

/** Returns the environment of a service under test: a free port, real engines, a new database, and keys of its own and of the test's authority. */
export const testEnvironment = (service: string, authority: TestAuthority, more: Environment = {}): Environment => {
  const { mongodbUri, redisUrl, database } = testEngines();
  return {
    PORT: '0',
    LOG_LEVEL: 'silent',
    SANDBOX: 'true',
    MONGODB_URI: mongodbUri,
    MONGODB_DATABASE: database,
    REDIS_URL: redisUrl,
    SERVICE_KEY: JSON.stringify(authority.serviceKey(service)),
    SERVICE_TRUST: JSON.stringify(authority.trust),
    FIELD_KEYS: JSON.stringify([{ id: '1', key: newKey() }]),
    FIELD_HASH_KEY: newKey(),
    ...more,
  };
};
