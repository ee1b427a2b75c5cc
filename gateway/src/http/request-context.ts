import type { Logger } from '@florin/rpc/observe';
import { requestIdFrom } from '@florin/rpc/request-id';
import type { RequestHandler, Response } from 'express';
import type { Route } from './define-route.ts';

/** What is known about a request while it is served. */
export type RequestContext = {
  requestId: string;
  logger: Logger;
  route?: Route;
  /** Whom the rate limit counts: a user or wallet, else an IP address. */
  rateKey?: string;
  userId?: string;
};

const contexts = new WeakMap<Response, RequestContext>();

export const contextOf = (response: Response): RequestContext => {
  const context = contexts.get(response);
  if (context === undefined) throw new Error('request without context');
  return context;
};

/** Gives every request an id, taken from the caller when it is a sane one, and says it in the answer. */
export const createRequestContext =
  (logger: Logger): RequestHandler =>
  (request, response, next) => {
    const requestId = requestIdFrom(request.get('x-request-id'));
    response.setHeader('X-Request-Id', requestId);
    contexts.set(response, { requestId, logger: logger.child({ requestId }) });
    next();
  };
