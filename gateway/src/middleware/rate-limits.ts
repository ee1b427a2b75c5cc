import { CodedError } from '@florin/rpc/errors';
import type { Logger } from '@florin/rpc/observe';
import type { Redis } from '@florin/data/redis';
import type { Request, Response } from 'express';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import { RedisStore } from 'rate-limit-redis';
import { contextOf } from '../http/request-context.ts';
import { createScriptRunner } from './script-runner.ts';

const WINDOW_MS = 60_000;

/** One subscriber of IPv6 owns a whole prefix; counting single addresses would count nothing. */
const IPV6_PREFIX = 56;

/**
 * Counts a request; sets the RateLimit and RateLimit-Policy fields (draft-ietf-httpapi-ratelimit-headers-08) on the answer.
 * While Redis is away nothing is counted and everything passes: one-time passwords have their own limits where they are checked.
 * @throws CodedError RATE_LIMITED with `retryAfterSeconds`
 */
export type RateLimiter = (request: Request, response: Response) => Promise<void>;

export type RateLimits = { general: RateLimiter; auth: RateLimiter };

export const ipKey = (request: Request): string => `ip:${ipKeyGenerator(request.ip ?? 'unknown', IPV6_PREFIX)}`;

/** Limits per minute, shared by all gateways of a deployment through Redis. */
export const createRateLimits = (redis: Redis, logger: Logger, perMinute: { general: number; auth: number }): RateLimits => {
  const sendCommand = createScriptRunner(redis);
  const create = (name: keyof RateLimits): RateLimiter => {
    const limiter = rateLimit({
      windowMs: WINDOW_MS,
      limit: perMinute[name],
      identifier: name,
      standardHeaders: 'draft-8',
      legacyHeaders: false,
      passOnStoreError: true,
      validate: false,
      logger: { error: (err) => logger.warn({ err }, 'rate limit store'), warn: (message) => logger.warn(message) },
      keyGenerator: (_request, response) => contextOf(response as Response).rateKey ?? 'unknown',
      handler: (_request, response, next) => {
        const retryAfter = response.getHeader('Retry-After');
        next(new CodedError('RATE_LIMITED', { metadata: { retryAfterSeconds: String(retryAfter ?? WINDOW_MS / 1000) } }));
      },
      store: new RedisStore({
        prefix: `florin:gateway:rate:${name}:`,
        sendCommand,
      }),
    });
    return (request, response) =>
      new Promise((resolve, reject) => {
        const next = (error?: unknown) => (error === undefined ? resolve() : reject(error as Error));
        Promise.resolve(limiter(request, response, next)).catch(reject);
      });
  };
  return { general: create('general'), auth: create('auth') };
};
