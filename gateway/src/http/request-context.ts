import { createCallLogger, type Logger } from '@florin/rpc/observe';
import { requestIdFrom } from '@florin/rpc/request-id';
import { beginCall, type CallContext, idsOf, type Tracing } from '@florin/rpc/tracing';
import type { RequestHandler, Response } from 'express';
import type { Route } from './define-route.ts';

/** The state of a request while it is served. */
export type RequestContext = {
  requestId: string;
  /** The request as a call: what its log lines and spans belong to. */
  served: CallContext;
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

/** Begins every request: assigns it an id, the caller's own if it is well-formed, returns it in X-Request-Id, and begins its span. */
export const createRequestContext =
  (logger: Logger, tracing: Tracing | undefined): RequestHandler =>
  (request, response, next) => {
    const requestId = requestIdFrom(request.get('x-request-id'));
    response.setHeader('X-Request-Id', requestId);
    const attributes = { 'http.request.method': request.method, 'florin.request_id': requestId };
    const served = beginCall(
      requestId,
      tracing?.startAtEdge(request.method, attributes, (name) => request.get(name)),
    );
    let child: Logger | undefined;
    contexts.set(response, {
      requestId,
      served,
      get logger() {
        child ??= createCallLogger(logger, idsOf(served));
        return child;
      },
    });
    served.run(next);
  };
