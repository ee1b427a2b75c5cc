import { ERRORS, type ErrorCode } from '@florin/rpc/errors';
import { hasNoBody, isIdempotent, type Route } from './define-route.ts';
import { needsToken } from './policy.ts';

const BODY_CODES = ['MALFORMED_BODY', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'UNSUPPORTED_CONTENT_ENCODING'] as const;
const TOKEN_CODES = ['UNAUTHORIZED', 'WRONG_TOKEN_KIND', 'SERVICE_UNAVAILABLE'] as const;
const UPSTREAM_CODES = ['SERVICE_UNAVAILABLE', 'UPSTREAM_TIMEOUT'] as const;
const IDEMPOTENCY_CODES = ['IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_IN_PROGRESS', 'VALIDATION_FAILED'] as const;

/** Every code that a route can return: its own, and those implied by its policy, request and limits. */
export const declaredCodes = (route: Route): ReadonlySet<ErrorCode> => {
  const codes = new Set<ErrorCode>([...route.errors, 'INTERNAL_ERROR']);
  const add = (more: readonly ErrorCode[]) => {
    for (const code of more) codes.add(code);
  };
  if (route.body !== undefined) add(BODY_CODES);
  if (route.params !== undefined || route.query !== undefined || route.body !== undefined || hasNoBody(route)) add(['VALIDATION_FAILED']);
  if (needsToken(route.policy)) add(TOKEN_CODES);
  if (needsToken(route.policy) && route.policy !== 'partner') add(['INVALID_DPOP_PROOF']);
  if (route.acceptsProof === true) add(['INVALID_DPOP_PROOF', 'SERVICE_UNAVAILABLE']);
  if (route.policy === 'user') add(['USER_NOT_REGISTERED']);
  if (route.policy === 'partner' || route.policy === 'page') add(['FORBIDDEN']);
  if (route.rateLimit !== 'none') add(['RATE_LIMITED', ...UPSTREAM_CODES]);
  if (route.eventStream !== undefined) add(['STREAM_LIMIT_REACHED', ...UPSTREAM_CODES]);
  if (isIdempotent(route)) add(IDEMPOTENCY_CODES);
  return codes;
};

/** HTTP status of a code on a route: the route's override, otherwise the platform's table. */
export const statusOf = (code: ErrorCode, route?: Pick<Route, 'statusOf'>): number => route?.statusOf?.[code] ?? ERRORS[code].http;
