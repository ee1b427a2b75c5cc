import type { WalletCaller } from '@florin/rpc/auth';
import { CodedError } from '@florin/rpc/errors';
import type { Request, Response } from 'express';
import { ipKey } from '../limits/rate-limits.ts';
import { asBearer, isDpop } from '../proofs/presented-token.ts';
import type { Route } from './define-route.ts';
import { needsToken, type PartnerCaller, type TokenCaller } from './policy.ts';
import { contextOf } from './request-context.ts';
import type { Serving } from './serving.ts';

/** The subject of limits. A wallet before registration and its user afterwards are two subjects; all servers of a partner are one. */
export const subjectOf = (caller: TokenCaller): string => {
  if (caller.kind === 'service') return `partner:${caller.partnerId}`;
  return caller.userId === undefined ? `wallet:${caller.wallet}` : `user:${caller.userId}`;
};

/** The subject of idempotency: keys of a partner have scopes of their own, and a replayed response asks no service for them. */
export const repeaterOf = (caller: TokenCaller): string =>
  caller.kind === 'service' ? `${subjectOf(caller)}:${caller.name}` : subjectOf(caller);

/** @throws CodedError UNAUTHORIZED, FORBIDDEN for a client that belongs to no partner */
const authenticatePartner = async (request: Request, serving: Serving): Promise<PartnerCaller> => {
  const caller = await serving.authenticatePartner(request.get('authorization'));
  const { partnerId } = caller;
  if (partnerId === undefined) throw new CodedError('FORBIDDEN', { metadata: { reason: 'the client is not one of a partner' } });
  return { ...caller, partnerId };
};

const authenticatePerson = async (request: Request, serving: Serving): Promise<WalletCaller> => {
  const authorization = request.get('authorization');
  const caller = await serving.authenticate(asBearer(authorization));
  // The gateway's authenticator has no verifier for service tokens; this also holds if one is added.
  if (caller.kind !== 'wallet') throw new CodedError('UNAUTHORIZED');
  // A bearer token that is not bound to a key costs no more than these two comparisons.
  if (caller.jkt !== undefined || isDpop(authorization)) await serving.proofs.verify(request, caller);
  return caller;
};

/** Why a token is rejected; undefined if it is accepted. */
const rejectionOf = async (authenticating: Promise<unknown>): Promise<unknown> =>
  authenticating.then(
    () => undefined,
    (error: unknown) => error,
  );

const isUnauthorized = (error: unknown): error is CodedError => error instanceof CodedError && error.code === 'UNAUTHORIZED';

/**
 * @throws CodedError WRONG_TOKEN_KIND for a token that operations of the other kind accept, and the errors of authentication: of a token
 * whose key only the other kind knows, what is wrong with it there
 */
const authenticate = async (route: Route, request: Request, serving: Serving): Promise<TokenCaller | undefined> => {
  if (!needsToken(route.policy)) return undefined;
  const isForPartners = route.policy === 'partner';
  try {
    return await (isForPartners ? authenticatePartner(request, serving) : authenticatePerson(request, serving));
  } catch (error) {
    if (!isUnauthorized(error)) throw error;
    const authorization = asBearer(request.get('authorization'));
    const other = await rejectionOf(isForPartners ? serving.authenticate(authorization) : serving.authenticatePartner(authorization));
    if (other !== undefined) throw error.metadata['tokenProblem'] === 'unknown_key' && isUnauthorized(other) ? other : error;
    const message = isForPartners ? "the operation needs a partner's token" : "the operation needs a person's token";
    throw new CodedError('WRONG_TOKEN_KIND', { message, cause: error });
  }
};

/**
 * Identifies the caller that the route's policy requires, and counts the request: for the caller's user or wallet, and without a
 * valid token for the IP address, so that guessing tokens is limited as well. All requests of an IP address have a ceiling besides.
 * @throws CodedError RATE_LIMITED, UNAUTHORIZED, WRONG_TOKEN_KIND, INVALID_DPOP_PROOF, USER_NOT_REGISTERED, FORBIDDEN, SERVICE_UNAVAILABLE (identity's keys cannot be fetched)
 */
export const admit = async (route: Route, request: Request, response: Response, serving: Serving): Promise<TokenCaller | undefined> => {
  const limit = route.rateLimit ?? 'general';
  const ip = ipKey(request);
  if (limit !== 'none') await serving.rateLimits.address(ip, response);
  if (limit === 'auth') await serving.rateLimits.auth(ip, response);
  let caller: TokenCaller | undefined;
  let rejection: { reason: unknown } | undefined;
  try {
    caller = await authenticate(route, request, serving);
  } catch (reason) {
    rejection = { reason };
  }
  if (caller?.kind === 'wallet' && caller.userId !== undefined) contextOf(response).userId = caller.userId;
  if (limit === 'general') await serving.rateLimits.general(caller === undefined ? ip : subjectOf(caller), response);
  if (rejection !== undefined) throw rejection.reason;
  if (route.policy === 'user' && contextOf(response).userId === undefined) throw new CodedError('USER_NOT_REGISTERED');
  return caller;
};
