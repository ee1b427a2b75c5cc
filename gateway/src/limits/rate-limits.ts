import { hkdfSync } from 'node:crypto';
import type { Redis } from '@florin/data/redis';
import { CodedError } from '@florin/rpc/errors';
import type { Logger } from '@florin/rpc/observe';
import { requesterOf } from '@florin/rpc/requester';
import type { Request, Response } from 'express';
import { createSharedCounts } from './shared-counts.ts';
import { createWindowCounts, type Verdict, WINDOW_MS } from './window-counts.ts';

/**
 * Counts a request for `key`; sets the RateLimit and RateLimit-Policy fields (draft-ietf-httpapi-ratelimit-headers-08) on the response.
 * @returns undefined, or a promise when the count of the other gateways has to be known first
 * @throws CodedError RATE_LIMITED with `retryAfterSeconds`
 */
export type RateLimiter = (key: string, response: Response) => Promise<void> | undefined;

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

/** The key of the client's IP address. */
export const ipKey = (request: Request): string => `ip:${requesterOf(request.ip ?? '') ?? 'unknown'}`;

const report = (response: Response, name: string, limit: number, { left, secondsLeft, partition }: Verdict['count']): void => {
  response.setHeader('RateLimit', `"${name}"; r=${left}; t=${secondsLeft}`);
  response.setHeader('RateLimit-Policy', `"${name}"; q=${limit}; w=${WINDOW_MS / 1000}; pk=:${partition}:`);
};

const createLimiter = (
  options: { name: string; limit: number; isReported: boolean } & Omit<Parameters<typeof createWindowCounts>[0], 'name' | 'limit'>,
): RateLimiter => {
  const counts = createWindowCounts(options);
  const apply = ({ admitted, count }: Verdict, response: Response): undefined => {
    if (options.isReported) report(response, options.name, options.limit, count);
    if (admitted) return;
    response.setHeader('Retry-After', count.secondsLeft);
    throw new CodedError('RATE_LIMITED', { metadata: { retryAfterSeconds: String(count.secondsLeft) } });
  };
  return (key, response) => {
    const verdict = counts.take(key);
    if (verdict instanceof Promise) return verdict.then((known) => apply(known, response));
    return apply(verdict, response);
  };
};

/** Key of the hashes of callers, derived from the private key that the gateways of a deployment share (HKDF, RFC 5869). */
export const rateLimitKey = ({ d }: { d: string }): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', Buffer.from(d, 'base64url'), new Uint8Array(), 'florin-gateway/rate-limits/v1', 32));

/**
 * Limits per minute. `general` and `auth` are shared through Redis by all gateways of a deployment, within the bound that
 * `createWindowCounts` states, and counted in each process while Redis is unavailable. Redis holds keyed hashes of the callers and
 * their addresses.
 * @param hashKey the same in all gateways of a deployment
 * @param countsTimeoutMs longest wait for Redis before each process counts alone
 */
export const createRateLimits = (
  { redis, logger, hashKey, countsTimeoutMs }: { redis: Redis; logger: Logger; hashKey: Uint8Array; countsTimeoutMs?: number | undefined },
  perMinute: Readonly<Record<keyof RateLimits, number>>,
): RateLimits => {
  const shared = createSharedCounts(redis, countsTimeoutMs);
  const createShared = (name: 'general' | 'auth'): RateLimiter =>
    createLimiter({ name, limit: perMinute[name], hashKey, shared, logger, isReported: true });
  return {
    general: createShared('general'),
    auth: createShared('auth'),
    address: createLimiter({ name: 'address', limit: perMinute.address, hashKey, logger, isReported: false }),
  };
};
