import type { Redis } from '@florin/data/redis';
import { CodedError } from '@florin/rpc/errors';
import type { Logger } from '@florin/rpc/observe';
import type { Request, Response } from 'express';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import { RedisStore } from 'rate-limit-redis';
import { createScriptRunner } from './script-runner.ts';

const WINDOW_MS = 60_000;

/** One IPv6 subscriber owns a whole prefix, so that a limit per single address would not limit anything. */
const IPV6_PREFIX = 56;

/**
 * Counts a request for `key`; sets the RateLimit and RateLimit-Policy fields (draft-ietf-httpapi-ratelimit-headers-08) on the response.
 * While Redis is unavailable, requests pass uncounted; one-time passwords have limits of their own in identity.
 * @throws CodedError RATE_LIMITED with `retryAfterSeconds`
 */
export type RateLimiter = (key: string, request: Request, response: Response) => Promise<void>;

export type RateLimits = { general: RateLimiter; auth: RateLimiter };

/** The key of the client's IP address; IPv6 addresses share the key of their /56. */
export const ipKey = (request: Request): string => `ip:${ipKeyGenerator(request.ip ?? 'unknown', IPV6_PREFIX)}`;

/** Limits per minute, shared through Redis by all gateways of a deployment. */
export const createRateLimits = (redis: Redis, logger: Logger, perMinute: { general: number; auth: number }): RateLimits => {
  const sendCommand = createScriptRunner(redis);
  const create = (name: keyof RateLimits): RateLimiter => {
    const keys = new WeakMap<object, string>();
    const limiter = rateLimit({
      windowMs: WINDOW_MS,
      limit: perMinute[name],
      identifier: name,
      standardHeaders: 'draft-8',
      legacyHeaders: false,
      passOnStoreError: true,
      validate: false,
      logger: { error: (err) => logger.warn({ err }, 'rate limit store failed'), warn: (message) => logger.warn(message) },
      keyGenerator: (request) => keys.get(request) ?? 'unknown',
      handler: (_request, response, next) => {
        const retryAfter = response.getHeader('Retry-After');
        next(new CodedError('RATE_LIMITED', { metadata: { retryAfterSeconds: String(retryAfter ?? WINDOW_MS / 1000) } }));
      },
      store: new RedisStore({
        prefix: `florin:gateway:rate:${name}:`,
        sendCommand,
      }),
    });
    return (key, request, response) =>
      new Promise((resolve, reject) => {
        keys.set(request, key);
        const next = (error?: unknown) => (error === undefined ? resolve() : reject(error as Error));
        Promise.resolve(limiter(request, response, next)).catch(reject);
      });
  };
  return { general: create('general'), auth: create('auth') };
};
