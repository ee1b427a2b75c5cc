import { createHmac, hkdfSync } from 'node:crypto';
import type { Redis } from '@florin/data/redis';
import { CodedError } from '@florin/rpc/errors';
import type { Logger } from '@florin/rpc/observe';
import type { Request, Response } from 'express';
import { ipKeyGenerator, MemoryStore, rateLimit, type Store } from 'express-rate-limit';
import { RedisStore } from 'rate-limit-redis';
import { createFallbackStore } from './fallback-store.ts';
import { createScriptRunner } from './script-runner.ts';

const WINDOW_MS = 60_000;

/** One IPv6 subscriber owns a whole prefix, so that a limit per single address would not limit anything. */
const IPV6_PREFIX = 56;

/**
 * Counts a request for `key`; sets the RateLimit and RateLimit-Policy fields (draft-ietf-httpapi-ratelimit-headers-08) on the response.
 * @throws CodedError RATE_LIMITED with `retryAfterSeconds`
 */
export type RateLimiter = (key: string, request: Request, response: Response) => Promise<void>;

export type RateLimits = {
  /** Per user, wallet or IP address. */
  general: RateLimiter;
  /** Per IP address on operations that invite guessing and abuse. */
  auth: RateLimiter;
  /**
   * Per IP address on all operations, whoever the caller is: wallets cost nothing, so a limit per wallet alone does not limit their
   * owner. It is counted in this process and not reported in the response.
   */
  address: RateLimiter;
};

/** The key of the client's IP address; IPv6 addresses share the key of their /56. */
export const ipKey = (request: Request): string => `ip:${ipKeyGenerator(request.ip ?? 'unknown', IPV6_PREFIX)}`;

const createLimiter = (options: { name: string; limit: number; store: Store; isReported: boolean }): RateLimiter => {
  const keys = new WeakMap<object, string>();
  const limiter = rateLimit({
    windowMs: WINDOW_MS,
    limit: options.limit,
    identifier: options.name,
    standardHeaders: options.isReported ? 'draft-8' : false,
    legacyHeaders: false,
    validate: false,
    keyGenerator: (request) => keys.get(request) ?? 'unknown',
    handler: (_request, response, next) => {
      const retryAfter = response.getHeader('Retry-After');
      next(new CodedError('RATE_LIMITED', { metadata: { retryAfterSeconds: String(retryAfter ?? WINDOW_MS / 1000) } }));
    },
    store: options.store,
  });
  return (key, request, response) =>
    new Promise((resolve, reject) => {
      keys.set(request, key);
      const next = (error?: unknown) => (error === undefined ? resolve() : reject(error as Error));
      Promise.resolve(limiter(request, response, next)).catch(reject);
    });
};

/** Key of the hashes of callers, derived from the private key that the gateways of a deployment share (HKDF, RFC 5869). */
export const rateLimitKey = ({ d }: { d: string }): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', Buffer.from(d, 'base64url'), new Uint8Array(), 'florin-gateway/rate-limits/v1', 32));

/**
 * Limits per minute. `general` and `auth` are shared through Redis by all gateways of a deployment, and counted in each process while
 * Redis is unavailable. Redis holds keyed hashes of the callers and their addresses.
 * @param hashKey the same in all gateways of a deployment
 */
export const createRateLimits = (
  { redis, logger, hashKey }: { redis: Redis; logger: Logger; hashKey: Uint8Array },
  perMinute: Readonly<Record<keyof RateLimits, number>>,
): RateLimits => {
  const sendCommand = createScriptRunner(redis);
  const createShared = (name: 'general' | 'auth'): RateLimiter => {
    const store = new RedisStore({ prefix: `florin:gateway:rate:${name}:`, sendCommand });
    const limiter = createLimiter({ name, limit: perMinute[name], store: createFallbackStore(store, logger), isReported: true });
    return (key, request, response) => limiter(createHmac('sha256', hashKey).update(key).digest('base64url'), request, response);
  };
  return {
    general: createShared('general'),
    auth: createShared('auth'),
    address: createLimiter({ name: 'address', limit: perMinute.address, store: new MemoryStore(), isReported: false }),
  };
};
