import type { Environment } from '@florin/rpc/config';
import type { TestAuthority } from '@florin/rpc/testing';
import { testEngines } from './engines.ts';

/** Environment of one service under test: free port, real engines, a database of its own, keys of the test's authority. */
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
    ...more,
  };
};
