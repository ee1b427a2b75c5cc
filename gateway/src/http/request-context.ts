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
  /** Code of the error with which the request has failed. */
  errorCode?: string;
};

/** The logger is created on first use. A class: see scripts/lint/no-object-accessors.grit. */
class ServedRequest implements RequestContext {
  readonly requestId: string;
  readonly served: CallContext;
  readonly #parent: Logger;
  #logger: Logger | undefined;
  route?: Route;
  userId?: string;
  errorCode?: string;

  constructor(requestId: string, served: CallContext, parent: Logger) {
    this.requestId = requestId;
    this.served = served;
    this.#parent = parent;
  }

  get logger(): Logger {
    this.#logger ??= createCallLogger(this.#parent, idsOf(this.served));
    return this.#logger;
  }
}

/** Where a response has its context. A property, because what a WeakMap has for a young key survives until the next full collection of V8. */
const CONTEXT = Symbol('context');

type WithContext = Response & { [CONTEXT]?: RequestContext };

export const contextOf = (response: Response): RequestContext => {
  const context = (response as WithContext)[CONTEXT];
  if (context === undefined) throw new Error('the request has no context');
  return context;
};

/** Begins every request: assigns it an id, the caller's own if it is well-formed, returns it in X-Request-Id, and begins its span. */
export const createRequestContext =
  (logger: Logger, tracing: Tracing | undefined): RequestHandler =>
  (request, response, next) => {
    const requestId = requestIdFrom(request.get('x-request-id'));
    response.setHeader('X-Request-Id', requestId);
    const attributes = () => ({ 'http.request.method': request.method, 'florin.request_id': requestId });
    const served = beginCall(
      requestId,
      tracing?.startAtEdge(request.method, attributes, (name) => request.get(name)),
    );
    (response as WithContext)[CONTEXT] = new ServedRequest(requestId, served, logger);
    served.run(next);
  };
