import type { Logger } from '@florin/rpc/observe';
import { requestIdFrom } from '@florin/rpc/request-id';
import type { RequestHandler, Response } from 'express';
import type { Route } from './define-route.ts';

/** The state of a request while it is served. */
export type RequestContext = {
  requestId: string;
  /** Logs with the request id. It is created on first use, because most requests need none. */
  readonly logger: Logger;
  route?: Route;
  userId?: string;
};

const contexts = new WeakMap<Response, RequestContext>();

export const contextOf = (response: Response): RequestContext => {
  const context = contexts.get(response);
  if (context === undefined) throw new Error('the request has no context');
  return context;
};

/** Assigns every request an id, the caller's own if it is well-formed, and returns it in X-Request-Id. */
export const createRequestContext =
  (logger: Logger): RequestHandler =>
  (request, response, next) => {
    const requestId = requestIdFrom(request.get('x-request-id'));
    response.setHeader('X-Request-Id', requestId);
    let child: Logger | undefined;
    contexts.set(response, {
      requestId,
      get logger() {
        child ??= logger.child({ requestId });
        return child;
      },
    });
    next();
  };
