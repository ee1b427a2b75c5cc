import type { WalletCaller } from '@florin/rpc/auth';
import { CodedError } from '@florin/rpc/errors';
import type { Request, Response } from 'express';
import { ipKey } from '../middleware/rate-limits.ts';
import type { Route } from './define-route.ts';
import { contextOf } from './request-context.ts';
import type { Serving } from './serving.ts';

/** Whose request it is, for limits and idempotency. A wallet before registration and its user after it are two subjects. */
export const subjectOf = (caller: WalletCaller): string =>
  caller.userId === undefined ? `wallet:${caller.wallet}` : `user:${caller.userId}`;

const authenticate = async (route: Route, request: Request, serving: Serving): Promise<WalletCaller | undefined> => {
  if (route.policy === 'public') return undefined;
  const caller = await serving.authenticate(request.get('authorization'));
  // The gateway's authenticator accepts no service tokens; this is for whoever changes that.
  if (caller.kind !== 'wallet') throw new CodedError('UNAUTHORIZED');
  return caller;
};

/**
 * Establishes the caller that the route's policy asks for, and counts the request: for the caller's user or wallet, without a
 * valid token for the IP address, so that guessing tokens is bounded too.
 * @throws CodedError RATE_LIMITED, UNAUTHORIZED, USER_NOT_REGISTERED, SERVICE_UNAVAILABLE (identity's keys cannot be had)
 */
export const admit = async (route: Route, request: Request, response: Response, serving: Serving): Promise<WalletCaller | undefined> => {
  const context = contextOf(response);
  const limit = route.rateLimit ?? 'general';
  context.rateKey = ipKey(request);
  if (limit === 'auth') await serving.rateLimits.auth(request, response);
  const [identified] = await Promise.allSettled([authenticate(route, request, serving)]);
  const caller = identified.status === 'fulfilled' ? identified.value : undefined;
  if (caller !== undefined) context.rateKey = subjectOf(caller);
  if (caller?.userId !== undefined) context.userId = caller.userId;
  if (limit === 'general') await serving.rateLimits.general(request, response);
  if (identified.status === 'rejected') throw identified.reason;
  if (route.policy === 'user' && caller?.userId === undefined) throw new CodedError('USER_NOT_REGISTERED');
  return caller;
};
